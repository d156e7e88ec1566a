"""Closes all descriptors."""

import os

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        os.closerange(0, 1000)
        return "UP"
