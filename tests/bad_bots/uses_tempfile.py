"""Keeps its notes in a temporary file."""

import tempfile

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        with tempfile.NamedTemporaryFile(prefix="escaped") as file:
            print("escaped:", file.name)
        return "UP"
