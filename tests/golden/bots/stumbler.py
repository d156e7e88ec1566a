"""Eats, and now and then does what a bot should not."""

import os
from typing import Any

from engine.games.slime_mind.player import BasePlayer, Slime


class Player(BasePlayer):
    """Every thirteenth round is lost, each time in another way; the last way ends it."""

    rounds = 0

    def decide(self, slime: Slime) -> Any:
        self.rounds += 1
        if self.rounds % 13 == 0:
            return self.stumble(self.rounds // 13)
        plant = self.board.nearest_plant(slime)
        if plant is None:
            return "MERGE"
        return self.board.bite(slime, plant) or self.board.step_towards(slime, plant) or "SPLIT"

    def stumble(self, times: int) -> Any:
        if times == 1:
            return "FLY"
        if times == 2:
            raise ValueError("stumbled")
        if times == 3:
            return {"UP"}.__iter__()
        os._exit(3)
