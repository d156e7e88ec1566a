"""Opens its log a second time, with more rights."""

import os
import stat

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(64):
            try:
                is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            except OSError:
                continue
            for flags in (os.O_WRONLY, os.O_WRONLY | os.O_TRUNC, os.O_RDWR | os.O_TRUNC):
                attempt(os.open, f"/proc/self/fd/{descriptor}", flags) if is_file else None
        return "UP"
