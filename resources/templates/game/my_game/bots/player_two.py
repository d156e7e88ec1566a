"""Leaves a number of stones that the other one cannot win with."""

from my_game.game import BasePlayer

NAME = "Modulo"


class Player(BasePlayer):
    def decide(self, stones, most):
        return stones % (most + 1) or 1
