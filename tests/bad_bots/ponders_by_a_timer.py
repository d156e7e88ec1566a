"""Thinks on in a signal handler while the opponent is asked."""

import signal

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        signal.signal(signal.SIGALRM, lambda *_: sum(range(10**7)))
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        return "UP"
