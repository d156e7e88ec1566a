"""Makes processes and threads by system calls that Python does not use."""

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
        call("clone", (56, 220), 17, 0, 0, 0, 0)
        call("clone3", (435, 435), 0, 0)
        call("execveat", (322, 281), 0, 0, 0, 0, 0)
        call("setsid", (112, 157))
        call("setpgid", (109, 154), 0, 0)
        return "UP"
