"""Reads how much CPU time engine, zygote and opponent have used."""

import time

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            attempt(time.clock_gettime_ns, ~pid << 3 | 2)
            attempt(time.clock_getres, ~pid << 3 | 2)
        if not time.thread_time_ns() or not time.process_time_ns():
            raise RuntimeError("its own are its to read")
        return "UP"
