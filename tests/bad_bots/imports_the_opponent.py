"""Imports what lies in the folders above its own."""

import importlib
import os
import pathlib
import sys

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        for folder in pathlib.Path(__file__).parents:
            sys.path.insert(0, str(folder))
        importlib.invalidate_caches()
        attempt(importlib.import_module, "player_steady")
        for folder in sys.path[:5]:
            attempt(os.listdir, folder) if folder != os.path.dirname(__file__) else None
        return "UP"
