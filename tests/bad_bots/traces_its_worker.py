"""Has every line of its worker raise."""

import sys

from engine.games.slime_mind.player import BasePlayer


def trace(*parts):
    raise KeyboardInterrupt


class Player(BasePlayer):
    def decide(self, slime):
        frame = sys._getframe()
        while frame:
            frame.f_trace = trace
            frame = frame.f_back
        sys.settrace(trace)
        return "UP"
