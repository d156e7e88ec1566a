"""Stops engine, zygote and opponent, by calls that Python does not use."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            call("kill", (62, 129), pid, 19)
            call("tkill", (200, 130), pid, 19)
            call("tgkill", (234, 131), pid, pid, 19)
            call("rt_sigqueueinfo", (129, 138), pid, 19, 0)
            call("pidfd_send_signal", (424, 424), pid, 19, 0, 0)
        return "UP"
