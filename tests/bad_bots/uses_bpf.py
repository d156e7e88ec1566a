"""Loads programs into the kernel."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("bpf", (321, 280), 0, 0, 0)
        call("perf_event_open", (298, 241), 0, 0, -1, -1, 0)
        call("seccomp", (317, 277), 1, 0, 0)
        call("init_module", (175, 105), 0, 0, 0)
        call("finit_module", (313, 273), 0, 0, 0)
        call("kexec_load", (246, 104), 0, 0, 0, 0)
        return "UP"
