"""Forks a hundred times, whatever is said to it."""

import os
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for _ in range(100):
            try:
                if os.fork() == 0:
                    print("escaped: forked")
                    time.sleep(3600)
            except OSError:
                pass
        return "UP"
