"""Takes one stone."""

from my_game.game import BasePlayer

NAME = "One"


class Player(BasePlayer):
    def decide(self, stones, most):
        return 1
