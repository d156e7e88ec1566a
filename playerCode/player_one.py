"""Walks about at random and bites what happens to lie beside it."""

import random

from engine.games.slime_mind.player import BasePlayer, Slime

NAME = "Wanderer"
AUTHOR = "Slime Mind"
VERSION = "1"


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        # random is seeded by the engine: the same match again walks the same ways.
        return random.choice(
            ["LEFT", "RIGHT", "UP", "DOWN", "BITELEFT", "BITERIGHT", "BITEUP", "BITEDOWN"]
        )
