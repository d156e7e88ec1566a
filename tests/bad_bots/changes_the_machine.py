"""Sets the clock and the name of the machine, its swap, and switches it off."""

import ctypes
import errno
import os

from engine.games.slime_mind.player import BasePlayer

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
        call("clock_settime", (227, 112), 0, 0)
        call("settimeofday", (164, 170), 0, 0)
        call("adjtimex", (159, 171), 0)
        call("sethostname", (170, 161), 0, 0)
        call("swapon", (167, 224), 0, 0)
        call("reboot", (169, 142), 0, 0, 0, 0)
        call("syslog", (103, 116), 3, 0, 0)
        call("acct", (163, 89), 0)
        call("quotactl", (179, 60), 0, 0, 0, 0)
        call("vhangup", (153, 58))
        return "UP"
