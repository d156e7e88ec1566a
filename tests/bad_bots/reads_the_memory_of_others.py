"""Reads and writes the memory of engine, zygote and opponent."""

import ctypes

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import LIBC, call, others

SPAN = (ctypes.c_size_t * 2)(id(LIBC), 8)


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
