"""Runs programs by every way that Python and C know."""

import ctypes
import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        if os.system("true") == 0 or ctypes.CDLL(None).system(b"true") == 0:
            print("escaped: system")
        attempt(os.popen, "true")
        attempt(os.posix_spawn, "/bin/true", ["true"], {})
        attempt(os.execv, "/bin/true", ["true"])
        return "UP"
