"""Takes every descriptor there is, and keeps them."""

import os

from engine.games.slime_mind.player import BasePlayer

KEPT = []


class Player(BasePlayer):
    def decide(self, slime):
        try:
            while True:
                KEPT.append(os.dup(1))
                if len(KEPT) > 1_000:
                    print("escaped: a thousand descriptors")
                    break
        except OSError:
            pass
        return "UP"
