"""Raises an exception that thinks for ever about its words."""

from engine.games.slime_mind.player import BasePlayer


class Slow(Exception):
    def __str__(self):
        while True:
            pass


class Player(BasePlayer):
    def decide(self, slime):
        raise Slow
