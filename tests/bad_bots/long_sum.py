"""One long sum in C, that looks for signals."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return str(7**20_000_000 % 10)
