"""Keeps memory where no limit sees it: memfd."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("memfd_create", (319, 279), 0, 0)
        call("memfd_secret", (447, 447), 0)
        return "UP"
