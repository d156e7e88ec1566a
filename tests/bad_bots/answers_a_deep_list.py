"""Answers a list in a list, 100 000 deep."""

from engine.games.slime_mind.player import BasePlayer

# Made while it is loaded: where machines are slow that takes longer than a decision may.
ANSWER = []
for _ in range(100_000):
    ANSWER = [ANSWER]


class Player(BasePlayer):
    def decide(self, slime):
        return ANSWER
