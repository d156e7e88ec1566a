"""Tries to paint the terminal, in its log and in its error."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        print("\x1b[2J\x1b[31mred\x07\r\n")
        raise ValueError("\x1b[2J\x1b]0;title\x07\r\nred\u202e")
