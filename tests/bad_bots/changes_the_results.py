"""Makes itself the winner in the results folder."""

import os
import pathlib

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        out = pathlib.Path(__file__).parents[2]
        for folder in (out, out / "matches", out / "bots"):
            attempt(os.listdir, folder)
            attempt(os.mkdir, folder / "escaped")
            attempt(open, folder / "match.json", "w")
            attempt(os.rename, folder, f"{folder}-escaped")
        attempt(open, out / "result.txt", "w")
        attempt(os.remove, out / "result.txt")
        return "UP"
