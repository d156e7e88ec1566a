"""Stops every clock in its process, and thinks."""

import sys
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        now = time.thread_time
        until = now() + 0.3
        for module in (time, sys.modules["engine.bots.worker"].__dict__.get("time", time)):
            for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
                setattr(module, name, lambda: 0.0)
                setattr(module, name + "_ns", lambda: 0)
        while now() < until:
            pass
        return "UP"
