"""Sleeps for most of its budget in every round."""

import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        time.sleep(0.25)
        return "UP"
