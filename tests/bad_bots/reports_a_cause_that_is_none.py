"""Invents a cause."""

import os
import time

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._writer, b'[%d,null,["engine failure","not me"]]\n' % nonce)
        time.sleep(3600)
