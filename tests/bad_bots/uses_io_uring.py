"""Has the kernel make its calls for it: io_uring, aio."""

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


PARAMETERS = ctypes.create_string_buffer(120)


class Player(BasePlayer):
    def decide(self, slime):
        call("io_uring_setup", (425, 425), 8, ctypes.addressof(PARAMETERS))
        call("io_uring_enter", (426, 426), 0, 0, 0, 0, 0, 0)
        call("io_uring_register", (427, 427), 0, 0, 0, 0)
        call("io_setup", (206, 0), 8, ctypes.addressof(PARAMETERS))
        return "UP"
