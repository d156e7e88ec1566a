"""Writes its true answer so slowly that every byte shows life."""

import os
import sys
import time

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
        for letter in b'[%d,"UP"]\n' % nonce:
            os.write(its_worker._writer, bytes([letter]))
            time.sleep(0.05)
        time.sleep(1)
