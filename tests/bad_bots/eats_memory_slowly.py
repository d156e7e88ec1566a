"""Takes a little more memory in every round, up to the limit and beyond."""

from engine.games.slime_mind.player import BasePlayer

KEPT = []


class Player(BasePlayer):
    def decide(self, slime):
        KEPT.append(bytearray(60 << 20))
        return "UP"
