"""Looks at the processes of this machine."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, others


class Player(BasePlayer):
    def decide(self, slime):
        attempt(os.listdir, "/proc")
        for pid in ("self", "thread-self", *others()):
            for name in ("maps", "cmdline", "status", "stat", "fd", "task", "root", "cwd/", "auxv"):
                attempt(os.listdir, f"/proc/{pid}/{name}")
                attempt(open, f"/proc/{pid}/{name}")
            for name in ("exe", "cwd", "root"):
                attempt(os.readlink, f"/proc/{pid}/{name}") if pid in others() else None
        return "UP"
