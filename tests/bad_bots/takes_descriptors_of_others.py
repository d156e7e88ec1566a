"""Takes open files out of other processes."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            call("pidfd_open", (434, 434), pid, 0)
        call("pidfd_getfd", (438, 438), 0, 0, 0)
        return "UP"
