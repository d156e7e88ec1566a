"""A greedy bot: it goes to the nearest plant and bites until it is gone; then to enemies."""

from engine.games.slime_mind.player import BasePlayer, Slime

NAME = "Glutton"
AUTHOR = "Slime Mind"
VERSION = "1"


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        # `or` chains read as priorities: each method returns None when it does not apply.
        food = self.board.nearest_plant(slime) or self.board.nearest_enemy(slime)
        if food is None:
            return "MERGE"
        return self.board.bite(slime, food) or self.board.step_towards(slime, food) or "MERGE"
