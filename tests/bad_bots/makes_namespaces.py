"""Becomes root in a world of its own: namespaces, mounts, roots."""

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


PATH = ctypes.create_string_buffer(b"/")


class Player(BasePlayer):
    def decide(self, slime):
        call("unshare(user)", (272, 97), 0x10000000)
        call("unshare(mount)", (272, 97), 0x20000)
        call("unshare(net)", (272, 97), 0x40000000)
        call("unshare(pid)", (272, 97), 0x20000000)
        call("setns", (308, 268), 0, 0)
        call("mount", (165, 40), 0, 0, 0, 0, 0)
        call("umount2", (166, 39), 0, 0)
        call("chroot", (161, 51), ctypes.addressof(PATH))
        call("pivot_root", (155, 41), 0, 0)
        call("chdir", (80, 49), ctypes.addressof(PATH))
        call("fsopen", (430, 430), 0, 0)
        call("move_mount", (429, 429), 0, 0, 0, 0, 0)
        return "UP"
