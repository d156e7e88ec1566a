"""Raises an exception that is its own cause's cause."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        first, second = ValueError("first"), ValueError("second")
        first.__cause__, second.__cause__ = second, first
        for number in range(10_000):
            link = ValueError(number)
            link.__context__, first = first, link
        raise first
