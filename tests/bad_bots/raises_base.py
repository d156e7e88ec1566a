"""Raises what no `except Exception` catches."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        raise KeyboardInterrupt
