"""Looks for the opponent's file beside its own."""

import glob
import os
import pathlib

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt

HERE = pathlib.Path(__file__).parent


class Player(BasePlayer):
    def decide(self, slime):
        copies = HERE.parent
        attempt(os.listdir, copies)
        attempt(os.scandir, HERE.parents[1])
        for path in glob.glob(f"{HERE.parents[2]}/**/*.py", recursive=True):
            if not path.startswith(str(HERE)):
                attempt(open, path)
        folder = os.open(HERE, os.O_RDONLY)
        attempt(os.open, "..", os.O_RDONLY, dir_fd=folder)
        attempt(os.open, "../../../secret.txt", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        return "UP"
