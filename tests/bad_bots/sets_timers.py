"""Has itself woken by timers, between its asks."""

import ctypes
import errno
import os
import signal

from engine.games.slime_mind.player import BasePlayer


def attempt(what, *words, **named):
    """Call it; says so if it worked."""
    try:
        result = what(*words, **named)
    except (OSError, ValueError, ImportError):
        return None
    print(f"escaped: {getattr(what, '__name__', what)}{words!r:.200} gave {result!r:.80}")
    return result


LIBC = ctypes.CDLL(None, use_errno=True)
MINE = ("x86_64", "aarch64").index(os.uname().machine)
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


def call(name, numbers, *words):
    """One system call by its number; says so if it was let through."""
    result = LIBC.syscall(ctypes.c_long(numbers[MINE]), *map(ctypes.c_long, words))
    if result != -1 or ctypes.get_errno() not in REFUSED:
        print(f"escaped: {name} gave {result}, errno {ctypes.get_errno()}")
    return result


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
