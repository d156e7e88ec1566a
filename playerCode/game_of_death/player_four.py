"""Dominoes: as many shapes as possible, in a line from edge to edge.

A domino is the fastest and weakest of all shapes. One alone does little damage, but all attacks
on a shape in a turn are added up, and its defense is subtracted only once (rules 6.4).
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer

NAME = "Dominoes"
AUTHOR = "Slime Mind"
VERSION = "1"

HUNTERS = 3
"""Every third one chases enemies; the others run for the flag."""
CALL = "domino!"
"""The broadcast of the flag's bearer."""


class Domino(FlagRunner):
    """A small and fast shape, which runs straight to the flag."""

    drawing = "##"
    call = CALL
    shots_from_a_place = 2

    def update(self) -> None:
        """Carry the flag, shoot, or cover the bearer; otherwise go on."""
        if not (self.carry() or self.shoot() or self.cover()):
            self.go()

    def go(self) -> None:
        """Run to the enemy's flag."""
        self.reach(self.enemy_home)


class Hound(Domino):
    """Chases enemies in sight, and runs with the others if there are none."""

    shots_from_a_place = 10

    def go(self) -> None:
        """Chase the nearest enemy, or run to the flag."""
        enemies = self.seen("h")
        if enemies:
            self.chase(enemies)
        else:
            super().go()


class Player(BasePlayer):
    """Dominoes in columns at the front of the zone, in every second row."""

    def design(self) -> None:
        """Fill the rows nearest to the home first."""
        settings, near = self.settings, self.home.v + self.home.height // 2
        first = self.zone_rows[settings.height % 2 :: 2]
        rows = sorted(first, key=lambda v: abs(v - near))
        for number in range(settings.max_cells // 2):
            column, row = divmod(number, len(rows))
            kind = Hound if number % HUNTERS == 0 else Domino
            self.place(kind, settings.zone_width - 2 - 3 * column, rows[row])
