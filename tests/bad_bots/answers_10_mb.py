"""Answers a string of 10 MB."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "UP" * 5_000_000
