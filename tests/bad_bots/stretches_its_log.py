"""Makes its log a terabyte long, with holes in it."""

import fcntl
import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        attempt(os.ftruncate, 1, 1 << 40)
        attempt(os.truncate, 1, 1 << 40)
        attempt(os.posix_fallocate, 1, 0, 1 << 40)
        for flags in (os.O_APPEND, 0):
            fcntl.fcntl(1, fcntl.F_SETFL, flags)
            os.lseek(1, 1 << 40, os.SEEK_SET)
            try:
                os.write(1, b"far away")
            except OSError:
                pass
        fcntl.fcntl(1, fcntl.F_SETFL, os.O_APPEND)
        if os.fstat(1).st_size > 4_000_000:
            print("escaped: a log of", os.fstat(1).st_size)
        return "UP"
