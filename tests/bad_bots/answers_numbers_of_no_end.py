"""Answers infinity in all its forms."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return [float("inf"), -float("inf"), 1e308 * 10, -0.0, 2**64 - 1]
