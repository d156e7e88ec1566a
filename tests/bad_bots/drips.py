"""Writes half an answer, byte by byte, and never the end of the line."""

import os
import stat
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(3, 64):
            try:
                is_pipe = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
                is_pipe and os.write(descriptor, b"[")
            except OSError:
                continue
            while is_pipe:
                time.sleep(0.01)
                os.write(descriptor, b"1")
