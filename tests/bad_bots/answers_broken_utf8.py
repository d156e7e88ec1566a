"""Answers bytes that are no text."""

from engine.bots import worker
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        worker.encode = lambda reply: b"[%d,%s]" % (reply[0], b'"\xff\xfe"')
        return "UP"
