"""Gives the interrupt its default meaning, which is to end the process."""

import signal

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        while True:
            pass
