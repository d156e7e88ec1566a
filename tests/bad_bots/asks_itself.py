"""Opens the pipe of its asks from the other side, and asks itself."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        pipe = os.open(f"/proc/self/fd/{its_worker._reader}", os.O_WRONLY)
        os.write(pipe, b"[%d,[],%d,null]\n" % (nonce + 1, slime.id))
        return "UP"
