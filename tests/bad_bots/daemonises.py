"""Starts a grandchild with a session of its own, that would outlive the match."""

import os
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                print("escaped: a daemon")
                time.sleep(3600)
            os._exit(0)
        return "UP"
