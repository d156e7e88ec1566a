"""Recurses until Python refuses."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return self.decide(slime)
