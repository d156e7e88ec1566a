"""Writes its true answer so slowly that every byte shows life."""

import os
import time

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        for letter in b'[%d,"UP"]\n' % nonce:
            os.write(its_worker._writer, bytes([letter]))
            time.sleep(0.05)
        time.sleep(1)
