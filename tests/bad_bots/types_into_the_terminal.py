"""Types commands into the terminal it was started from."""

import fcntl

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        for descriptor in range(3):
            for letter in b"id\n":
                attempt(fcntl.ioctl, descriptor, 0x5412, bytes([letter]))
            attempt(fcntl.ioctl, descriptor, 0x540E, 0)
            attempt(fcntl.ioctl, descriptor, 0x5421, 0)
        return "UP"
