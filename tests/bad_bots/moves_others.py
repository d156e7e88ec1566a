"""Sends everybody to one processor, and itself to another."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in (0, *others()):
            attempt(os.sched_setaffinity, pid, {0})
        return "UP"
