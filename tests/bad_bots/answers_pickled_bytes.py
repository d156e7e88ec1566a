"""Answers a pickle in place of JSON."""

import os
import pickle
import sys

from engine.games.slime_mind.player import BasePlayer


def worker():
    """The worker that called us, and the nonce of this ask."""
    frame = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["self"], frame.f_locals["nonce"]


class Bomb:
    def __reduce__(self):
        return print, ("escaped",)


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._writer, pickle.dumps(Bomb()) + b"\n")
        return "UP"
