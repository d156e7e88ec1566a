"""Has the kernel send signals to others when its pipes move."""

import fcntl
import os
import signal

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(64):
            for command, word in (
                (fcntl.F_SETOWN, os.getppid()),
                (fcntl.F_SETSIG, signal.SIGKILL),
                (fcntl.F_SETLEASE, fcntl.F_WRLCK),
                (fcntl.F_NOTIFY, 1),
            ):
                attempt(fcntl.fcntl, descriptor, command, word)
        return "UP"
