"""Replaces what the worker itself uses."""

import builtins
import msgspec
import traceback

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        builtins.isinstance = builtins.len = builtins.str = lambda *words: 1 / 0
        traceback.TracebackException = traceback.extract_tb = lambda *words: 1 / 0
        msgspec.json.Encoder = msgspec.json.encode = lambda *words: 1 / 0
        raise ValueError("and now?")
