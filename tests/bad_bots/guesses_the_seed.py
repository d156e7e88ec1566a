"""Tries a million numbers as the match's seed, of which it knows one that was made from it."""

import sys
import time

from engine.games.slime_mind.player import BasePlayer
from engine.streams import derive_seed

MOST = 2**20
SHARE = 2_000
"""Half of the CPU milliseconds of an answer, in seconds."""


def own_seed():
    """The seed of its own random numbers, from the frame of its worker."""
    frame = sys._getframe()
    while "start" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["start"].seed


class Player(BasePlayer):
    tried = 0

    def decide(self, slime):
        known, name = own_seed(), f"bot/{self.team}/0"
        until = time.process_time() + self.limits.cpu_ms / SHARE
        while self.tried < MOST and time.process_time() < until:
            for seed in range(self.tried, self.tried + 1_000):
                if derive_seed(seed, name) == known:
                    print("escaped: the match's seed is", seed)
            self.tried += 1_000
        if self.tried >= MOST:
            print("has tried them all")
        return "UP"
