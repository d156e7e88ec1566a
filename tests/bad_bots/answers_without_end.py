"""Writes one line that has no end."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        while True:
            os.write(its_worker._writer, b"[" + b" " * 4_000)
