"""Answers an object that runs a program when it is unpickled."""

import os

from engine.games.slime_mind.player import BasePlayer


class Bomb:
    def __reduce__(self):
        return os.system, ("echo escaped",)


class Player(BasePlayer):
    def decide(self, slime):
        return Bomb()
