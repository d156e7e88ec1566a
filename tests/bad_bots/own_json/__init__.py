"""A json.py of its own beside it: Python's must still be found, and its other files too."""

import json

from engine.games.slime_mind.player import BasePlayer

from . import word


class Player(BasePlayer):
    def decide(self, slime):
        return json.loads(f'"{word.WORD}"')
