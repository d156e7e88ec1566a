"""Dominoes: as many shapes as there can be, in a line from edge to edge.

A domino is the quickest and the weakest of all shapes. One alone hurts nobody much, but the
attacks of all that hit the same shape in a turn count together, against its defense once.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer

NAME = "Dominoes"
AUTHOR = "Slime Mind"
VERSION = "1"

HUNTERS = 3
"""Every third one chases enemies; the others run for the flag."""
CALL = "domino!"
"""What who has the flag calls."""


class Domino(FlagRunner):
    """Small and quick: straight to the flag."""

    drawing = "##"
    call = CALL
    shots_from_a_place = 2

    def update(self) -> None:
        """Shoot in passing."""
        if not (self.carry() or self.shoot() or self.cover()):
            self.go()

    def go(self) -> None:
        """To where it becomes a bearer."""
        self.reach(self.enemy_home)


class Hound(Domino):
    """Chases whom it sees, and follows the others where it sees nobody."""

    shots_from_a_place = 10

    def go(self) -> None:
        """Into the row of the nearest enemy, and then towards it."""
        enemies = self.seen("h")
        if enemies:
            self.chase(enemies)
        else:
            super().go()


class Player(BasePlayer):
    """Columns at the front of the zone, a row apart."""

    def design(self) -> None:
        """The rows nearest to the home first."""
        settings, near = self.settings, self.home.v + self.home.height // 2
        first = range(settings.height % 2, settings.height, 2)
        rows = sorted(first, key=lambda v: abs(v - near))
        for number in range(settings.max_cells // 2):
            column, row = divmod(number, len(rows))
            kind = Hound if number % HUNTERS == 0 else Domino
            self.place(kind, settings.zone_width - 2 - 3 * column, rows[row])
