"""Becomes root in a world of its own: namespaces, mounts, roots."""

import ctypes

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call

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
