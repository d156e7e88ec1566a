"""Has every audited call of its worker raise."""

import sys

from engine.games.slime_mind.player import BasePlayer


def refuse(*parts):
    raise RuntimeError("no")


class Player(BasePlayer):
    def decide(self, slime):
        sys.addaudithook(refuse)
        return "UP"
