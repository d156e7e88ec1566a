"""Its __init__ raises."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def __init__(self, board, team):
        raise RuntimeError("not today")

    def decide(self, slime):
        return "LEFT"
