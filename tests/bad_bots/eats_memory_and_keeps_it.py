"""Fills all the memory it may have, and returns with it."""

from engine.games.slime_mind.player import BasePlayer

KEPT = []


class Player(BasePlayer):
    def decide(self, slime):
        size = 1 << 26
        while size >= 16:
            try:
                KEPT.append(bytes(size))
            except MemoryError:
                size //= 2
        return "UP"
