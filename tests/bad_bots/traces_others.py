"""Attaches to engine, zygote and opponent as a debugger."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            call("ptrace(ATTACH)", (101, 117), 16, pid, 0, 0)
            call("ptrace(SEIZE)", (101, 117), 0x4206, pid, 0, 0)
            call("kcmp", (312, 272), os.getpid(), pid, 0, 0, 0)
        call("ptrace(TRACEME)", (101, 117), 0, 0, 0, 0)
        return "UP"
