"""Makes processes and threads by system calls that Python does not use."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("clone", (56, 220), 17, 0, 0, 0, 0)
        call("clone3", (435, 435), 0, 0)
        call("execveat", (322, 281), 0, 0, 0, 0, 0)
        call("setsid", (112, 157))
        call("setpgid", (109, 154), 0, 0)
        return "UP"
