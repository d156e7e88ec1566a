"""Prints 20 MB, and writes as much past Python."""

import os

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for _ in range(200):
            print("x" * 100_000)
        try:
            for _ in range(200):
                os.write(1, b"y" * 100_000)
        except OSError:
            pass
        return "UP"
