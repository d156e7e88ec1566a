"""Raises an exception whose very name is a terminal command."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        raise type("\x1b[2J\x1b[31mPainted\x07", (Exception,), {})("red")
