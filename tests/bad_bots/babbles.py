"""Writes garbage to every descriptor."""

import os

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\xff\x00garbage\n")
            except OSError:
                pass
        return "UP"
