"""Tells a story of its own about why there is no answer."""

import sys
import time

from engine.bots.fault import Cause
from engine.bots.wire import Problem, Reply
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
        its_worker._send(Reply(nonce, None, Problem(Cause.LOAD_ERROR, "\x1b[2Jthe engine's fault")))
        time.sleep(3600)
