"""Answers an object of which every method loops."""

from engine.games.slime_mind.player import BasePlayer


class Loop:
    def loop(self, *parts):
        while True:
            pass

    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __bool__ = __int__ = loop


class Player(BasePlayer):
    def decide(self, slime):
        return Loop()
