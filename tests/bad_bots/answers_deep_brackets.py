"""Answers 2 000 brackets that never met the encoder."""

import msgspec

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return msgspec.Raw(b"[" * 2_000 + b"]" * 2_000)
