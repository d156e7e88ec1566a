"""Makes its worker think before it reads the next ask."""

import os
import time

from engine.games.slime_mind.player import BasePlayer

READ = os.read


def ponder(*parts):
    until = time.thread_time() + 0.2
    while time.thread_time() < until:
        pass
    return READ(*parts)


class Player(BasePlayer):
    def decide(self, slime):
        os.read = ponder
        return "UP"
