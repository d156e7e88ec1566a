"""Starts a process that would outlive it."""

import os
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(9)
