"""Gives engine, zygote and opponent limits they cannot live with."""

import resource

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            attempt(resource.prlimit, pid, resource.RLIMIT_CPU, (1, 1))
            attempt(resource.prlimit, pid, resource.RLIMIT_NOFILE, (0, 0))
            attempt(resource.prlimit, pid, resource.RLIMIT_AS)
        return "UP"
