"""Thinks for ever."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        while True:
            pass
