"""Runs a shell."""

import subprocess

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        subprocess.run(["/bin/sh", "-c", "echo escaped: a shell"], check=False)
        return "UP"
