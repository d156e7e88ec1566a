"""Opens files by newer calls and by handles, past their paths."""

import ctypes

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call

PATH = ctypes.create_string_buffer(b"/etc/passwd")
HOW = ctypes.create_string_buffer(24)


class Player(BasePlayer):
    def decide(self, slime):
        call("name_to_handle_at", (303, 264), -100, ctypes.addressof(PATH), 0, 0, 0)
        call("open_by_handle_at", (304, 265), -100, 0, 0)
        call("openat2", (437, 437), -100, ctypes.addressof(PATH), ctypes.addressof(HOW), 24)
        call("open_tree", (428, 428), -100, ctypes.addressof(PATH), 0)
        call("fanotify_init", (300, 262), 0, 0)
        call("inotify_init1", (294, 26), 0)
        call("landlock_create_ruleset", (444, 444), 0, 0, 1)
        return "UP"
