"""Answers the next thousand asks at once, by guessing their nonces."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(
            its_worker._writer, b"".join(b'[%d,"UP"]\n' % (nonce + step) for step in range(1, 1000))
        )
        return "UP"
