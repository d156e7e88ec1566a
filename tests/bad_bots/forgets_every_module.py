"""Empties the list of modules."""

import sys

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        sys.modules.clear()
        sys.meta_path.clear()
        return "UP"
