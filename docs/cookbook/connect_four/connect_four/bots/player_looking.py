"""Wins where it can, prevents that the other one does, and likes the middle."""

from connect_four.game import BasePlayer

NAME = "Looking"


class Player(BasePlayer):
    def decide(self):
        grid = self.grid
        columns = grid.open_columns()
        for team in (self.team, 3 - self.team):
            for column in columns:
                if grid.find_line(team, column, len(grid.columns[column])):
                    return column
        middle = (grid.settings.columns - 1) / 2
        return min(columns, key=lambda column: abs(column - middle))
