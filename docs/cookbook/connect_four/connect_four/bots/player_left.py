"""Always the leftmost column with room."""

from connect_four.game import BasePlayer

NAME = "Left"


class Player(BasePlayer):
    def decide(self):
        return self.grid.open_columns()[0]
