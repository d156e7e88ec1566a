"""Asks C for a stack of a gigabyte."""

import resource

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, 1 << 30))
        print("escaped: a larger stack")
        return "UP"
