"""Has itself woken by timers, between its asks."""

import ctypes
import signal

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt, call


class Player(BasePlayer):
    def decide(self, slime):
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            attempt(signal.setitimer, timer, 0.001, 0.001)
        signal.signal(signal.SIGALRM, lambda *_: print("escaped: woken"))
        signal.alarm(1)
        call("alarm", (37, 103), 1)
        call("timer_create", (222, 107), 0, 0, ctypes.addressof(ctypes.c_long()))
        call("timerfd_create", (283, 85), 1, 0)
        return "UP"
