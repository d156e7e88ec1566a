"""Answers a dictionary of strange keys."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return {(1, 2): "UP", None: "UP", 3.5: "UP"}
