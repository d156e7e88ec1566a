"""Reads at address 0."""

import ctypes

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        ctypes.string_at(0)
