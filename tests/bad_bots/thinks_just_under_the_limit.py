"""Uses most of its budget in every round."""

import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        until = time.thread_time() + 0.060
        while time.thread_time() < until:
            pass
        return "UP"
