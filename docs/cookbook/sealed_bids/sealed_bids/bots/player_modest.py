"""Wants as much as there is for everybody."""

from sealed_bids.game import BasePlayer

NAME = "Modest"


class Player(BasePlayer):
    def bid(self, turn: int, coins: tuple[int | None, ...]) -> int:
        return self.settings.coins_per_team
