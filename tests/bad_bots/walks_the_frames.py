"""Looks through all the objects of its process for what it should not know."""

import gc
import sys
import types

from engine.games.slime_mind.player import BasePlayer

SECRETS = ("ProcessSeat", "MatchSpec", "Streams", "Referee", "ForkLauncher", "Job")


class Player(BasePlayer):
    def decide(self, slime):
        # put together here, so that it does not find its own words
        canary, opponent = str.upper("canary"), "_".join(["player", "steady"])
        seen, queue = set(), [*gc.get_objects(), sys._getframe(), *sys.modules.values()]
        while queue and len(seen) < 20_000:
            thing = queue.pop()
            if id(thing) not in seen:
                seen.add(id(thing))
                if type(thing).__name__ in SECRETS:
                    print("escaped:", type(thing).__name__)
                if type(thing) is str and (canary in thing or thing == opponent):
                    print("escaped:", thing)
                if type(thing) in (types.FrameType, dict, list, tuple):
                    queue.extend(gc.get_referents(thing))
        return "UP"
