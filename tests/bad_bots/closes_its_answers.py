"""Closes what it could answer through, and stays."""

import os
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"")
            except OSError:
                continue
            os.close(descriptor)
        time.sleep(3600)
