"""Sends itself a signal it cannot survive."""

import os
import signal
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(1)
