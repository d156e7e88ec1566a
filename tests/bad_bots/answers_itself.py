"""Answers a list that holds itself."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        answer = []
        answer.append(answer)
        return answer
