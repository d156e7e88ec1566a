"""Leaves handlers behind that never end, and exits."""

import atexit
import sys

from engine.games.slime_mind.player import BasePlayer


def loop():
    while True:
        pass


class Player(BasePlayer):
    def decide(self, slime):
        atexit.register(loop)
        sys.exit(6)
