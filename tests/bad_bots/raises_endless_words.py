"""Raises an exception of 300 000 four-byte letters."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        raise ValueError("\U0001f40c" * 300_000)
