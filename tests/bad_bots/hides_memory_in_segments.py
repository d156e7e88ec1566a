"""Keeps memory in System V segments, queues and semaphores."""

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
        call("shmget", (29, 194), 0, 1 << 20, 0o1600)
        call("shmat", (30, 196), 0, 0, 0)
        call("msgget", (68, 186), 0, 0o1600)
        call("semget", (64, 190), 0, 1, 0o1600)
        return "UP"
