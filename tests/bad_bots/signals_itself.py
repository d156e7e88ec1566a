"""Sends itself the engine's interrupt."""

import signal

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        signal.raise_signal(signal.SIGUSR1)
        return "UP"
