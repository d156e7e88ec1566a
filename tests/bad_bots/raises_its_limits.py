"""Takes off every limit it was given."""

import resource

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        for name in dir(resource):
            if name.startswith("RLIMIT_"):
                what = getattr(resource, name)
                attempt(resource.setrlimit, what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                attempt(resource.setrlimit, what, resource.getrlimit(what))
        return "UP"
