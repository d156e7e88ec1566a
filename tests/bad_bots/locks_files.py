"""Signals to an accomplice by locks on files that both can open."""

import fcntl
import os
import struct

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        with open(os.__file__, "rb") as file:
            attempt(fcntl.flock, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            attempt(fcntl.lockf, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            lock = struct.pack("hhqqi", fcntl.F_RDLCK, 0, 0, 0, 0)
            attempt(fcntl.fcntl, file, fcntl.F_SETLK, lock)
            attempt(fcntl.fcntl, file, fcntl.F_GETLK, lock)
            attempt(fcntl.fcntl, file, fcntl.F_OFD_SETLK, lock)
            attempt(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        return "UP"
