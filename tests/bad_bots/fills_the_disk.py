"""Writes as much as it can wherever it can."""

import os
import pathlib

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt

HOME = pathlib.Path(__file__).parent
PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/run", ".", os.path.expanduser("~"), HOME]
PLACES += list(HOME.parents)[:4]


class Player(BasePlayer):
    def decide(self, slime):
        for place in PLACES:
            file = attempt(open, os.path.join(place, "escaped-large"), "wb")
            if file:
                file.write(bytes(1 << 20))
        return "UP"
