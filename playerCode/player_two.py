"""Always hungry: to the nearest plant, and bite until it is gone. Without plants, enemies."""

from engine.games.slime_mind.player import BasePlayer, Slime

NAME = "Glutton"
AUTHOR = "Slime Mind"
VERSION = "1"


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        food = self.board.nearest_plant(slime) or self.board.nearest_enemy(slime)
        if food is None:
            return "MERGE"
        return self.board.bite(slime, food) or self.board.step_towards(slime, food) or "MERGE"
