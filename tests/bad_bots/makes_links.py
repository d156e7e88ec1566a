"""Makes links, hard and soft, and queues and devices."""

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
            name = os.path.join(place, "escaped-link")
            attempt(os.symlink, "/etc/passwd", name)
            attempt(os.link, __file__, name)
            attempt(os.link, "/etc/passwd", name)
            attempt(os.mkfifo, name)
            attempt(os.mknod, name)
            attempt(os.rename, __file__, name)
        return "UP"
