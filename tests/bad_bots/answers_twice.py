"""Answers its ask twice."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._writer, b'[%d,"DOWN"]\n' % nonce)
        return "UP"
