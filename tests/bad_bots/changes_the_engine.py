"""Writes into the engine, Python, and what it is made of."""

import os

import msgspec
from tests.engine.bots.escapes import attempt

import engine
import engine.games.slime_mind.player
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for module in (engine, msgspec, os, engine.games.slime_mind.player):
            attempt(open, module.__file__, "a")
            attempt(open, os.path.join(os.path.dirname(module.__file__), "escaped.pth"), "w")
            attempt(os.remove, module.__file__)
        return "UP"
