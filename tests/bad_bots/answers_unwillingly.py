"""Answers an object that raises when it is written down."""

import decimal

from engine.games.slime_mind.player import BasePlayer


class Hostile(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Unwilling(decimal.Decimal):
    def __str__(self):
        raise Hostile

    __repr__ = __str__


class Player(BasePlayer):
    def decide(self, slime):
        return Unwilling("1")
