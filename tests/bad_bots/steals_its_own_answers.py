"""Opens the pipe of its answers from the other side, and reads them."""

import os
import time

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        pipe = os.open(f"/proc/self/fd/{its_worker._writer}", os.O_RDONLY)
        os.write(its_worker._writer, b'[%d,"UP"]\n' % nonce)
        os.read(pipe, 100)
        time.sleep(3600)
