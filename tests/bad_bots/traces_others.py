"""Attaches to engine, zygote and opponent as a debugger."""

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


def others():
    """The zygote, which started us, and whoever was started about then; not ourselves."""
    me, parent = os.getpid(), os.getppid()
    near = {*range(parent - 20, parent + 20), *range(me - 20, me + 20)}
    return sorted(pid for pid in near - {me} if pid > 1)


class Player(BasePlayer):
    def decide(self, slime):
        for pid in others():
            call("ptrace(ATTACH)", (101, 117), 16, pid, 0, 0)
            call("ptrace(SEIZE)", (101, 117), 0x4206, pid, 0, 0)
            call("kcmp", (312, 272), os.getpid(), pid, 0, 0, 0)
        call("ptrace(TRACEME)", (101, 117), 0, 0, 0, 0)
        return "UP"
