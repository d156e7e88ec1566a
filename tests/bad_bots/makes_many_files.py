"""Makes empty files and folders until the disk has no more names."""

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
            for number in range(10):
                attempt(os.mkdir, os.path.join(place, f"escaped-folder-{number}"))
                attempt(
                    os.open, os.path.join(place, f"escaped-file-{number}"), os.O_CREAT | os.O_WRONLY
                )
        return "UP"
