"""Takes other users' rights, and takes its sandbox off."""

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
        call("setuid", (105, 146), 0)
        call("setgid", (106, 144), 0)
        call("setresuid", (117, 147), 0, 0, 0)
        call("setgroups", (116, 159), 0, 0)
        call("capset", (126, 91), 0, 0)
        call("personality", (135, 92), 0x40000)
        call("prctl(DUMPABLE)", (157, 167), 4, 1, 0, 0, 0)
        call("prctl(PDEATHSIG)", (157, 167), 1, 0, 0, 0, 0)
        call("prctl(SUBREAPER)", (157, 167), 36, 1, 0, 0, 0)
        call("prctl(SECCOMP)", (157, 167), 22, 0, 0, 0, 0)
        call("umask", (95, 166), 0)
        return "UP"
