"""A farmer: takes of each plant only what grows again, and splits while there is plenty.

A plant that is levelling regains half its hp with every level, so a plant that is nibbled
feeds a slime for fifty turns where a plant that is eaten feeds it for two. Full-grown plants
are the only ones that spread seeds: enough of them are kept, and only the rest is harvested.
Nobody is hunted, but whoever stands beside a farmer is bitten.
"""

import random

from engine.games.slime_mind.player import BasePlayer, Plant, Sight, Slime

NAME = "Farmer"
AUTHOR = "Slime Mind"
VERSION = "1"

PLANTS_PER_SLIME = 2
SOWING_SHARE = 0.7
"""Of the match: so long the family grows; after that everybody keeps the xp for himself."""
HARVEST_TURNS = 60
"""Before the end nothing needs to grow any more."""
SEEDERS_SHARE = 0.1
"""Of the map: full-grown plants that are kept for their seeds."""


class Player(BasePlayer):
    def __init__(self, board: Sight, team: int) -> None:
        super().__init__(board, team)
        self.noted_turn = 0
        self.spare_seeders = 0

    def decide(self, slime: Slime) -> str:
        self.count_seeders()
        return self.defend(slime) or self.split(slime) or self.harvest(slime) or self.wait(slime)

    def count_seeders(self) -> None:
        """Once a turn: how many full-grown plants there are beyond those to be kept."""
        board = self.board
        if self.noted_turn != board.turn:
            self.noted_turn = board.turn
            seeders = sum(plant.level == plant.max_level for plant in board.plants)
            self.spare_seeders = seeders - int(SEEDERS_SHARE * board.columns * board.rows)

    def defend(self, slime: Slime) -> str | None:
        """Bite the enemy beside us, if there is one."""
        enemy = self.board.nearest_enemy(slime)
        return None if enemy is None else self.board.bite(slime, enemy)

    def split(self, slime: Slime) -> str | None:
        """While there is more food than mouths, and time enough for the child to grow up."""
        board, settings = self.board, self.board.settings
        is_early = board.turn < SOWING_SHARE * settings.max_turns
        if not is_early or slime.level != settings.min_split_level:
            return None
        has_food = len(board.friends) < len(board.plants) // PLANTS_PER_SLIME
        return "SPLIT" if has_food and board.empty_around(slime) else None

    def harvest(self, slime: Slime) -> str | None:
        """What is ripe beside us, or else a step to the nearest plant that is."""
        board = self.board
        plant = board.nearest_plant(slime, lambda plant: self.is_ripe(plant, slime))
        if plant is None:
            return None
        return board.bite(slime, plant) or board.step_towards(slime, plant)

    def is_ripe(self, plant: Plant, slime: Slime) -> bool:
        """Whether a bite leaves the plant alive, and the seeders that are needed alone."""
        if self.board.settings.max_turns - self.board.turn < HARVEST_TURNS:
            return True
        if plant.level == plant.max_level:
            return self.spare_seeders > 0
        return plant.current_hp > slime.attack

    def wait(self, slime: Slime) -> str:
        """Nothing is ripe: a step at random makes room for who has found something."""
        squares = self.board.empty_beside(slime)
        return (squares and self.board.direction(slime, random.choice(squares))) or "MERGE"
