"""Ends others' processes as `abort` ends one's own."""

import os
import signal

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            call("tgkill", (234, 131), pid, pid, signal.SIGABRT)
            call("tkill", (200, 130), pid, signal.SIGABRT)
        call("tgkill", (234, 131), -1, os.getpid(), signal.SIGABRT)
        call("tgkill", (234, 131), os.getpid() | 1 << 32, os.getpid(), signal.SIGABRT)
        for number in set(signal.valid_signals()) - {signal.SIGABRT}:
            call("tgkill", (234, 131), os.getpid(), os.getpid(), number)
        return "UP"
