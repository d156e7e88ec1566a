"""Starts threads until the machine is full."""

import threading
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        while True:
            threading.Thread(target=time.sleep, args=(3600,)).start()
