"""Closes its log and raises."""

import os

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for name in os.listdir("/proc/self/fd"):
            if os.path.realpath(f"/proc/self/fd/{name}").endswith(".log"):
                os.close(int(name))
        raise ValueError("unheard")
