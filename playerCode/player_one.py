"""A random bot: moves and bites in random directions."""

import random

from engine.games.slime_mind.player import BasePlayer, Slime

NAME = "Wanderer"
AUTHOR = "Slime Mind"
VERSION = "1"


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        # The engine seeds `random`: the same match, played again, makes the same moves.
        return random.choice(
            ["LEFT", "RIGHT", "UP", "DOWN", "BITELEFT", "BITERIGHT", "BITEUP", "BITEDOWN"]
        )
