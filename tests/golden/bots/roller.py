"""Rolls for its orders, with both dice a bot may use."""

import random

import numpy

from engine.games.slime_mind.player import BasePlayer, Plant, Slime

FIRST = random.choice(("UP", "DOWN"))
COMMANDS = ("LEFT", "RIGHT", "UP", "DOWN", "SPLIT", "MERGE")


class Player(BasePlayer):
    """Merges with friends, bites all else that is beside it, and otherwise does anything."""

    def decide(self, slime: Slime) -> str:
        beside = self.board.neighbours(slime)
        if random.random() < 0.3 and any(piece in self.board.friends for piece in beside):
            return "MERGE"
        food = [piece for piece in beside if isinstance(piece, Plant | Slime)]
        if food and random.random() < 0.8:
            return self.board.bite(slime, random.choice(food)) or FIRST
        return random.choice((FIRST, COMMANDS[numpy.random.randint(len(COMMANDS))]))
