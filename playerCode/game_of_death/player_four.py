"""Dominoes: as many shapes as there can be, in a line from edge to edge.

A domino is the quickest and the weakest of all shapes. One alone hurts nobody much, but the
attacks of all that hit the same shape in a turn count together, against its defense once.
"""

from engine.games.game_of_death.player import BasePlayer
from engine.games.game_of_death.soldier import Soldier

NAME = "Dominoes"
AUTHOR = "Slime Mind"
VERSION = "1"

HUNTERS = 3
"""Every third one chases enemies; the others run for the flag."""
GOT_IT = "domino!"
MEMORY = 5


class Domino(Soldier):
    """Small and quick."""

    drawing = "##"
    shots_from_a_place = 2

    def __init__(self) -> None:
        """Who has the flag calls it out."""
        self.heard = -MEMORY

    def update(self) -> None:
        """Straight to the flag, and shoot in passing."""
        if GOT_IT in self.receive():
            self.heard = self.now
        if self.has_flag:
            self.broadcast(GOT_IT)
            self.reach(self.home) or self.shoot()
        elif self.touches(self.enemy_home) and not self.is_carried:
            if self.capture_progress == 0:
                self.capture()
        elif not self.shoot():
            self.go()

    @property
    def is_carried(self) -> bool:
        """Whether another one has the flag, as far as it heard."""
        return self.now - self.heard < MEMORY

    def go(self) -> None:
        """Out of the bearer's way, or to where it may become one."""
        if self.is_carried:
            self.walk_to(self.enemy_home.u // 2, self.anchor[1])
        else:
            self.reach(self.enemy_home)

    def die(self) -> None:
        """A last shot."""
        self.shoot()


class Hound(Domino):
    """Chases whom it sees, and follows the others where it sees nobody."""

    shots_from_a_place = 10

    def go(self) -> None:
        """Into the row of the nearest enemy, and then towards it."""
        enemies = self.seen("h")
        if enemies:
            self.chase(enemies[0])
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
