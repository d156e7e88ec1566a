"""Closes its log, which is the only file it holds open, and raises."""

import os
import stat

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(64):
            try:
                if stat.S_ISREG(os.fstat(descriptor).st_mode):
                    os.close(descriptor)
            except OSError:
                pass
        raise ValueError("unheard")
