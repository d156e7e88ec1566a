"""Answers 2 000 brackets that never met the encoder."""

from engine.bots import worker
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        worker.encode = lambda reply: b"[%d,%s]" % (reply[0], b"[" * 2_000 + b"]" * 2_000)
        return "UP"
