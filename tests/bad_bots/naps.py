"""Sleeps for ever, a little at a time."""

import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        while True:
            time.sleep(0.001)
