"""Asks for more memory than there is."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return bytearray(1 << 46)
