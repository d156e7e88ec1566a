"""Answers bytes that are no text."""

import msgspec

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return msgspec.Raw(b'"\xff\xfe"')
