"""Looks for secrets in the environment, in its own and in others'."""

import ctypes
import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


def environment_in_c():
    """What C was given, which Python may have forgotten."""
    found, place = {}, ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    number = 0
    while place and place[number]:
        name, _, value = place[number].decode("utf-8", "replace").partition("=")
        found[name] = value
        number += 1
    return found


class Player(BasePlayer):
    def decide(self, slime):
        for name, value in {**os.environ, **environment_in_c()}.items():
            if "CANARY" in name:
                print("escaped:", name, value)
        for pid in ("self", os.getppid(), os.getpid(), 1):
            attempt(open, f"/proc/{pid}/environ")
        return "UP"
