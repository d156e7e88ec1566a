"""Raises an exception whose words are a string that bites."""

from engine.games.slime_mind.player import BasePlayer


class Words(str):
    def __str__(self):
        raise RuntimeError("no words")

    __repr__ = __format__ = __len__ = __bool__ = __getitem__ = __str__


class Hostile(Exception):
    def __str__(self):
        return Words("boo")


class Player(BasePlayer):
    def decide(self, slime):
        raise Hostile
