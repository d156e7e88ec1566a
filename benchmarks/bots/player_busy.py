"""A bot that uses half of the usual CPU limit."""

import time

from engine.games.slime_mind.player import BasePlayer, Slime

THINKING_S = 0.025


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        until = time.process_time() + THINKING_S
        while time.process_time() < until:
            pass
        return "UP"
