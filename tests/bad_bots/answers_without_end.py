"""Writes one line that has no end."""

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
        while True:
            os.write(its_worker._writer, b"[" + b" " * 4_000)
