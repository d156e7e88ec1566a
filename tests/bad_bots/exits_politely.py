"""Calls sys.exit."""

import sys

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        sys.exit(5)
