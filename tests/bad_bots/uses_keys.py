"""Leaves a note for its next match in the kernel's key ring."""

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


KIND = ctypes.create_string_buffer(b"user")
NAME = ctypes.create_string_buffer(b"escaped")


class Player(BasePlayer):
    def decide(self, slime):
        call(
            "add_key",
            (248, 217),
            ctypes.addressof(KIND),
            ctypes.addressof(NAME),
            ctypes.addressof(NAME),
            7,
            -4,
        )
        call("request_key", (249, 218), ctypes.addressof(KIND), ctypes.addressof(NAME), 0, -4)
        call("keyctl", (250, 219), 0, -4, 0)
        return "UP"
