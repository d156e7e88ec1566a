"""Answers 4 000 digits that are no machine number."""

import msgspec

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return msgspec.Raw(b"9" * 4_000)
