"""Raises an exception whose class hides its name."""

from engine.games.slime_mind.player import BasePlayer


class Kind(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class Hidden(Exception, metaclass=Kind):
    pass


class Player(BasePlayer):
    def decide(self, slime):
        raise Hidden
