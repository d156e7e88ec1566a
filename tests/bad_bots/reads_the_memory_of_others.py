"""Reads and writes the memory of engine, zygote and opponent."""

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


SPAN = (ctypes.c_size_t * 2)(id(LIBC), 8)


def others():
    """The zygote, which started us, and whoever was started about then; not ourselves."""
    me, parent = os.getpid(), os.getppid()
    near = {*range(parent - 20, parent + 20), *range(me - 20, me + 20)}
    return sorted(pid for pid in near - {me} if pid > 1)


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            call(
                "process_vm_readv",
                (310, 270),
                pid,
                ctypes.addressof(SPAN),
                1,
                ctypes.addressof(SPAN),
                1,
                0,
            )
            call(
                "process_vm_writev",
                (311, 271),
                pid,
                ctypes.addressof(SPAN),
                1,
                ctypes.addressof(SPAN),
                1,
                0,
            )
            for mode in ("rb", "r+b"):
                try:
                    open(f"/proc/{pid}/mem", mode)
                    print("escaped: the memory of", pid)
                except OSError:
                    pass
        return "UP"
