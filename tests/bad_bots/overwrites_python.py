"""Overwrites Python's own memory."""

import ctypes

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        ctypes.memset(id(type(slime)), 0xFF, 400)
        ctypes.memset(id(None), 0xFF, 16)
        return slime.x
