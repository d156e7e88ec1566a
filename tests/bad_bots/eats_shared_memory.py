"""Asks the system itself for memory, shared and without a file."""

import mmap

from engine.games.slime_mind.player import BasePlayer

KEPT = []


class Player(BasePlayer):
    def decide(self, slime):
        KEPT.append(mmap.mmap(-1, 1 << 32))
        print("escaped: 4 GB")
        return "UP"
