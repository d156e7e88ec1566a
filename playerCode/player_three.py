"""A farmer: bites plants only as far as they grow again, and splits while there is much food.

A growing plant regains half of its max hp with every level, so one that is never killed feeds a
slime for fifty turns, and one that is eaten up for two. Only full-grown plants spread seeds:
enough of them are kept, and the rest is harvested. It hunts nobody, but bites enemies beside it.
"""

import random

from engine.games.slime_mind.player import BasePlayer, BoardView, Plant, Slime

NAME = "Farmer"
AUTHOR = "Slime Mind"
VERSION = "1"

PLANTS_PER_SLIME = 2
SOWING_SHARE = 0.7
"""Share of the match in which slimes split; after that everyone keeps its xp."""
HARVEST_TURNS = 60
"""In this many turns before the end, nothing needs to grow any more."""
SEEDERS_SHARE = 0.1
"""Full-grown plants that are kept for their seeds, as a share of the map's squares."""


class Player(BasePlayer):
    def __init__(self, board: BoardView, team: int) -> None:
        super().__init__(board, team)
        self.noted_turn = 0
        self.spare_seeders = 0

    def decide(self, slime: Slime) -> str:
        self.count_seeders()
        return self.defend(slime) or self.split(slime) or self.harvest(slime) or self.wait(slime)

    def count_seeders(self) -> None:
        """Count, once per turn, the full-grown plants beyond those to be kept."""
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
        """Split while there is food for more slimes, and time for the child to grow."""
        board, settings = self.board, self.board.settings
        is_early = board.turn < SOWING_SHARE * settings.max_turns
        if not is_early or slime.level != settings.min_split_level:
            return None
        has_food = len(board.friends) < len(board.plants) // PLANTS_PER_SLIME
        return "SPLIT" if has_food and board.empty_around(slime) else None

    def harvest(self, slime: Slime) -> str | None:
        """Bite the nearest ripe plant, or step towards it."""
        board = self.board
        plant = board.nearest_plant(slime, lambda plant: self.is_ripe(plant, slime))
        if plant is None:
            return None
        return board.bite(slime, plant) or board.step_towards(slime, plant)

    def is_ripe(self, plant: Plant, slime: Slime) -> bool:
        """Return whether we may bite: the plant survives, and needed seeders are left alone."""
        if self.board.settings.max_turns - self.board.turn < HARVEST_TURNS:
            return True
        if plant.level == plant.max_level:
            return self.spare_seeders > 0
        return plant.current_hp > slime.attack

    def wait(self, slime: Slime) -> str:
        """Step at random when nothing is ripe: it makes room for others."""
        squares = self.board.empty_beside(slime)
        return (squares and self.board.direction(slime, random.choice(squares))) or "MERGE"
