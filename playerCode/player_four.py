"""A hunter: grows on plants, then goes for the nearest enemy it can beat.

Whoever bites first and harder wins a fight: each bite takes the attack off the other's hp.
An enemy team without slimes has lost at once.
"""

from math import ceil

from engine.games.slime_mind.player import BasePlayer, Slime

NAME = "Hunter"
AUTHOR = "Slime Mind"
VERSION = "1"

HUNTING_LEVEL = 4
REACH = 12
"""How far an enemy is worth the way."""


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        board = self.board
        prey = self.prey(slime)
        if prey is not None:
            return board.bite(slime, prey) or board.step_towards(slime, prey) or self.eat(slime)
        return self.eat(slime)

    def prey(self, slime: Slime) -> Slime | None:
        """The nearest enemy that would die first; any that stands beside us anyway."""
        if slime.level < HUNTING_LEVEL:
            return self.board.nearest_enemy(
                slime, lambda enemy: self.board.distance(slime, enemy) == 1
            )
        return self.board.nearest_enemy(
            slime,
            lambda enemy: self.board.distance(slime, enemy) <= REACH and would_win(slime, enemy),
        )

    def eat(self, slime: Slime) -> str:
        """Plants that are not killed by the bite first: they grow again."""
        board = self.board
        nearest = board.nearest_plant(slime)
        if nearest is None:
            return self.chase(slime)
        spared = board.nearest_plant(slime, lambda plant: plant.current_hp > slime.attack)
        plant = spared or nearest
        way = board.bite(slime, plant) or board.step_towards(slime, plant)
        return way or board.bite(slime, nearest) or "MERGE"  # shut in: eat a way out

    def chase(self, slime: Slime) -> str:
        """No food is left: what remains is the enemy."""
        enemy = self.board.nearest_enemy(slime)
        if enemy is None:
            return "MERGE"
        return self.board.bite(slime, enemy) or self.board.step_towards(slime, enemy) or "MERGE"


def would_win(slime: Slime, enemy: Slime) -> bool:
    """Whether the enemy dies first if we bite first and both go on."""
    bites = ceil(enemy.current_hp / slime.attack)
    return bites <= ceil(slime.current_hp / enemy.attack)
