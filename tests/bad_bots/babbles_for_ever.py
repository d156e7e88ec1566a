"""A thread of it writes garbage to every descriptor, all the time."""

import os
import threading

from engine.games.slime_mind.player import BasePlayer


def babble():
    while True:
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"garbage" * 1_000)
            except OSError:
                pass


class Player(BasePlayer):
    def decide(self, slime):
        threading.Thread(target=babble, daemon=True).start()
        return "UP"
