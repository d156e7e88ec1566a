"""Answers half of a letter."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "\ud800"
