"""Raises an exception that cannot be read, named or traced."""

from engine.games.slime_mind.player import BasePlayer


class Meta(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class Hostile(Exception, metaclass=Meta):
    @property
    def __class__(self):
        raise RuntimeError("no class")

    @property
    def __traceback__(self):
        raise RuntimeError("no traceback")

    def __str__(self):
        raise RuntimeError("no words")

    __repr__ = __str__


class Player(BasePlayer):
    def decide(self, slime):
        raise Hostile
