"""Leaves a note for its next match in the kernel's key ring."""

import ctypes

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call

KIND = ctypes.create_string_buffer(b"user")
NAME = ctypes.create_string_buffer(b"escaped")


class Player(BasePlayer):
    def decide(self, slime):
        call(
            "add_key",
            (248, 217),
            ctypes.addressof(KIND),
            ctypes.addressof(NAME),
            ctypes.addressof(NAME),
            7,
            -4,
        )
        call("request_key", (249, 218), ctypes.addressof(KIND), ctypes.addressof(NAME), 0, -4)
        call("keyctl", (250, 219), 0, -4, 0)
        return "UP"
