"""Thinks for ever while an object of its own is thrown away."""

from engine.games.slime_mind.player import BasePlayer


class Endless:
    def __del__(self):
        while True:
            pass


class Player(BasePlayer):
    def decide(self, slime):
        self.kept = Endless()
        self.kept = None
        return "UP"
