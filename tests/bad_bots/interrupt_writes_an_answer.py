"""Has the engine's interrupt itself write into the pipe."""

import fcntl
import os
import signal

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        fcntl.fcntl(its_worker._writer, fcntl.F_SETFL, os.O_NONBLOCK)
        signal.set_wakeup_fd(its_worker._writer)
        while True:
            pass
