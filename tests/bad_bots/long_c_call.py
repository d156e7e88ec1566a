"""One call into C that looks for no signal."""

import collections
import itertools

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        collections.deque(itertools.count(), maxlen=0)
