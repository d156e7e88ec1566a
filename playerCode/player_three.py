"""A farmer: takes of each plant only what grows again, and splits while there is plenty.

A plant that is levelling regains half its hp with every level, so a plant that is nibbled
feeds a slime for fifty turns where a plant that is eaten feeds it for two. Full-grown plants
are the only ones that spread seeds: they are left alone until they crowd the field.
"""

from engine.games.slime_mind.player import BasePlayer, Plant, Slime

NAME = "Farmer"
AUTHOR = "Slime Mind"
VERSION = "1"

FAMILY = 30
SOWING_TURNS = 150
"""So long the family grows; after that everybody keeps the xp for himself."""
HARVEST_TURNS = 60
"""Before the end nothing needs to grow any more."""
CROWDED = 0.4
"""Share of the squares covered with plants from which on full-grown ones are eaten too."""


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        board = self.board
        if self.may_split(slime):
            return "SPLIT"
        plant = board.nearest_plant(slime, lambda plant: self.is_ripe(plant, slime))
        if plant is None:
            return self.wait_beside_food(slime)
        return board.bite(slime, plant) or board.step_towards(slime, plant) or "MERGE"

    def is_ripe(self, plant: Plant, slime: Slime) -> bool:
        """Whether a bite leaves the plant alive and takes nothing from the seeds to come."""
        board = self.board
        is_late = board.settings.max_turns - board.turn < HARVEST_TURNS
        if is_late or len(board.plants) > CROWDED * board.columns * board.rows:
            return True
        return plant.current_hp > slime.attack and plant.level < plant.max_level

    def may_split(self, slime: Slime) -> bool:
        """While there is more food than mouths, and time enough for the child to grow up."""
        board = self.board
        return (
            slime.level >= board.settings.min_split_level
            and len(board.friends) < min(FAMILY, len(board.plants) // 2)
            and board.turn < SOWING_TURNS
            and bool(board.empty_around(slime))
        )

    def wait_beside_food(self, slime: Slime) -> str:
        """Nothing is ripe: go where something will be."""
        plant = self.board.nearest_plant(slime, lambda plant: plant.level < plant.max_level)
        step = plant and self.board.step_towards(slime, plant)
        return step or "MERGE"
