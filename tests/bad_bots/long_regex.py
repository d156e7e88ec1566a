"""A regular expression that backtracks until the end of time."""

import re

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        re.match(r"(a*)*b", "a" * 60)
