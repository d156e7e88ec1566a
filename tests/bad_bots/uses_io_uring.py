"""Has the kernel make its calls for it: io_uring, aio."""

import ctypes

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call

PARAMETERS = ctypes.create_string_buffer(120)


class Player(BasePlayer):
    def decide(self, slime):
        call("io_uring_setup", (425, 425), 8, ctypes.addressof(PARAMETERS))
        call("io_uring_enter", (426, 426), 0, 0, 0, 0, 0, 0)
        call("io_uring_register", (427, 427), 0, 0, 0, 0)
        call("io_setup", (206, 0), 8, ctypes.addressof(PARAMETERS))
        return "UP"
