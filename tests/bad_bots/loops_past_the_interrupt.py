"""Thinks for ever, and swallows whatever is raised in it."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
