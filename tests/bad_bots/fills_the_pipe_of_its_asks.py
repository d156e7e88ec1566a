"""Writes into the pipe it should read from."""

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
        os.write(its_worker._reader, b"[1,[],1,null]\n")
        return "UP"
