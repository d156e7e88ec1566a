"""A hunter: it grows on plants, then attacks the nearest enemy that it can beat.

Each bite takes the biter's attack off the other's hp, so whoever needs fewer bites wins a fight.
A team without slimes has lost at once (rules 4.5).
"""

from math import ceil

from engine.games.slime_mind.player import BasePlayer, Slime

NAME = "Hunter"
AUTHOR = "Slime Mind"
VERSION = "1"

HUNTING_LEVEL = 4
REACH = 12
"""The largest distance at which an enemy is attacked."""


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        board = self.board
        prey = self.prey(slime)
        if prey is not None:
            return board.bite(slime, prey) or board.step_towards(slime, prey) or self.eat(slime)
        return self.eat(slime)

    def prey(self, slime: Slime) -> Slime | None:
        """Return the nearest enemy that would die first; while small, only one beside us."""
        if slime.level < HUNTING_LEVEL:
            return self.board.nearest_enemy(
                slime, lambda enemy: self.board.distance(slime, enemy) == 1
            )
        return self.board.nearest_enemy(
            slime,
            lambda enemy: self.board.distance(slime, enemy) <= REACH and would_win(slime, enemy),
        )

    def eat(self, slime: Slime) -> str:
        """Eat plants, first those that survive the bite: they grow again."""
        board = self.board
        nearest = board.nearest_plant(slime)
        if nearest is None:
            return self.chase(slime)
        spared = board.nearest_plant(slime, lambda plant: plant.current_hp > slime.attack)
        plant = spared or nearest
        way = board.bite(slime, plant) or board.step_towards(slime, plant)
        return way or board.bite(slime, nearest) or "MERGE"  # shut in: eat a way out

    def chase(self, slime: Slime) -> str:
        """Go for the nearest enemy, when no food is left."""
        enemy = self.board.nearest_enemy(slime)
        if enemy is None:
            return "MERGE"
        return self.board.bite(slime, enemy) or self.board.step_towards(slime, enemy) or "MERGE"


def would_win(slime: Slime, enemy: Slime) -> bool:
    """Return whether the enemy dies first if we bite first and both go on biting."""
    bites = ceil(enemy.current_hp / slime.attack)
    return bites <= ceil(slime.current_hp / enemy.attack)
