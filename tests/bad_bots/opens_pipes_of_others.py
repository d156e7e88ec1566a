"""Opens the pipes, logs and sockets of engine, zygote and opponent."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            for descriptor in range(12):
                for flags in (os.O_RDONLY, os.O_WRONLY):
                    attempt(os.open, f"/proc/{pid}/fd/{descriptor}", flags | os.O_NONBLOCK)
        return "UP"
