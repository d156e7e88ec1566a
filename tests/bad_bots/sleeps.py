"""Uses no processor and does not come back."""

import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        time.sleep(3600)
