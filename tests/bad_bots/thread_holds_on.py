"""Sleeps while a thread of its own uses the processor."""

import threading
import time

from engine.games.slime_mind.player import BasePlayer


def burn():
    while True:
        pass


class Player(BasePlayer):
    def decide(self, slime):
        threading.Thread(target=burn, daemon=True).start()
        time.sleep(3600)
