"""An army of as many dominoes as allowed, which do nothing."""

from engine.games.game_of_death.player import BasePlayer, Shape

COLUMNS = 25
APART = 3
"""Columns from one to the next: an attack reaches the next one."""


class Domino(Shape):
    drawing = "##"

    def update(self) -> None:
        """Do nothing."""

    def die(self) -> None:
        """Do nothing."""


class Player(BasePlayer):
    def design(self) -> None:
        front = self.settings.zone_width - 2
        for number in range(self.settings.max_cells // 2):
            row, column = divmod(number, COLUMNS)
            self.place(Domino, front - APART * column, self.zone_rows[5 + 15 * row])
