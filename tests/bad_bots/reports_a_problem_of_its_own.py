"""Tells a story of its own about why there is no answer."""

import time

from tests.engine.bots.escapes import worker

from engine.bots.wire import Problem, Reply
from engine.fault import Cause
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        its_worker._send(Reply(nonce, None, Problem(Cause.LOAD_ERROR, "\x1b[2Jthe engine's fault")))
        time.sleep(3600)
