"""Announces an answer of four gigabytes, in several tongues."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._writer, b"\xff\xff\xff\xff\xdd\xff\xff\xff\xff\n")
        return "UP"
