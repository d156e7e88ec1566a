"""Answers a list in a list, 100 000 deep."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        answer = []
        for _ in range(100_000):
            answer = [answer]
        return answer
