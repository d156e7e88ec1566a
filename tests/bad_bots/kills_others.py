"""Kills engine, zygote and opponent."""

import os
import signal

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            attempt(os.kill, pid, signal.SIGKILL)
        attempt(os.kill, -1, signal.SIGCONT)
        attempt(os.kill, 0, signal.SIGCONT)
        attempt(os.killpg, 1, signal.SIGCONT)
        return "UP"
