"""Leaves a thread and an exit handler behind that never end, and breaks its worker."""

import atexit
import os
import sys
import threading
import time

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        try:
            threading.Thread(target=time.sleep, args=(3600,)).start()
        except RuntimeError:
            pass
        atexit.register(time.sleep, 3600)
        os._exit = sys.exit
        self.board._board.slimes.clear()
        return "UP"
