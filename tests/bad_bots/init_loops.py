"""Its __init__ thinks for ever."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def __init__(self, board, team):
        while True:
            pass

    def decide(self, slime):
        return "LEFT"
