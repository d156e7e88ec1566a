"""Has C end its process."""

import ctypes

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        ctypes.CDLL(None).abort()
