"""Answers what would paint the terminal."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "\x1b[2J\x1b]0;won\x07\r\nUP\u202e<script>alert(1)</script>"
