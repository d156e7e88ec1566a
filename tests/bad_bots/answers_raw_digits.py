"""Answers 4 000 digits that are no machine number."""

from engine.bots import worker
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        worker.encode = lambda reply: b"[%d,%s]" % (reply[0], b"9" * 4_000)
        return "UP"
