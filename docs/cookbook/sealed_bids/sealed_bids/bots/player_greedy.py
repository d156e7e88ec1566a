"""Wants all that can be had."""

from sealed_bids.game import HIGHEST, BasePlayer

NAME = "Greedy"


class Player(BasePlayer):
    def bid(self, turn: int, coins: tuple[int | None, ...]) -> int:
        return HIGHEST
