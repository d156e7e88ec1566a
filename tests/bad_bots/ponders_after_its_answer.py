"""Answers early, past its worker, and thinks on."""

import os
import time

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._writer, b'[%d,"UP"]\n' % nonce)
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass
        return "UP"
