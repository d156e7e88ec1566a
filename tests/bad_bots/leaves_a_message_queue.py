"""Makes a POSIX message queue, that would outlive the match."""

import ctypes

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call

NAME = ctypes.create_string_buffer(b"escaped-queue")


class Player(BasePlayer):
    def decide(self, slime):
        call("mq_open", (240, 180), ctypes.addressof(NAME), 0o102, 0o600, 0)
        return "UP"
