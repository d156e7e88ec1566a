"""Answers a subclass of str with methods of its own."""

from engine.games.slime_mind.player import BasePlayer


class Word(str):
    def __eq__(self, other):
        raise RuntimeError("no equal")

    __hash__ = __str__ = __repr__ = __eq__


class Player(BasePlayer):
    def decide(self, slime):
        return Word("UP")
