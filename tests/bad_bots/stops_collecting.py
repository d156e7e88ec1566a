"""Switches the collector off and leaves rings of objects."""

import gc

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        gc.disable()
        gc.set_threshold(0)
        for _ in range(10_000):
            ring = []
            ring.append(ring)
        return "UP"
