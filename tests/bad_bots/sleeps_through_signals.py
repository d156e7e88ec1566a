"""Ignores the interrupt and sleeps."""

import signal
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        time.sleep(3600)
