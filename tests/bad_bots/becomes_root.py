"""Takes other users' rights, and takes its sandbox off."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("setuid", (105, 146), 0)
        call("setgid", (106, 144), 0)
        call("setresuid", (117, 147), 0, 0, 0)
        call("setgroups", (116, 159), 0, 0)
        call("capset", (126, 91), 0, 0)
        call("personality", (135, 92), 0x40000)
        call("prctl(DUMPABLE)", (157, 167), 4, 1, 0, 0, 0)
        call("prctl(PDEATHSIG)", (157, 167), 1, 0, 0, 0, 0)
        call("prctl(SUBREAPER)", (157, 167), 36, 1, 0, 0, 0)
        call("prctl(SECCOMP)", (157, 167), 22, 0, 0, 0, 0)
        call("umask", (95, 166), 0)
        return "UP"
