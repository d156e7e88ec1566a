"""A bot that bites the plant beside it, and walks at random while there is none."""

import random

from engine.games.slime_mind.player import BasePlayer, Plant, Slime

SIDES = (("UP", 0, -1), ("DOWN", 0, 1), ("LEFT", -1, 0), ("RIGHT", 1, 0))


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        at, x, y = self.board.at, slime.x, slime.y
        for side, dx, dy in SIDES:
            if isinstance(at(x + dx, y + dy), Plant):
                return f"BITE{side}"
        return SIDES[int(random.random() * 4)][0]
