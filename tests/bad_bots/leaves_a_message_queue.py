"""Makes a POSIX message queue, that would outlive the match."""

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


NAME = ctypes.create_string_buffer(b"escaped-queue")


class Player(BasePlayer):
    def decide(self, slime):
        call("mq_open", (240, 180), ctypes.addressof(NAME), 0o102, 0o600, 0)
        return "UP"
