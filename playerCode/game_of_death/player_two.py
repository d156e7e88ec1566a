"""Fortress: walls and cannons. A siege it sits out, and then its garrison goes for the flag.

Four bars in front of the home keep the way to it narrow; cannons behind them shoot along the rows
from which enemies come, and along the lines beside the home in which who captures has to stand.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Shape
from engine.games.game_of_death.soldier import Soldier

NAME = "Fortress"
AUTHOR = "Slime Mind"
VERSION = "1"

SALLY = 2
"""After a half of the match's turns the garrison goes for the enemy's flag."""


class Guard(Soldier):
    """It stays where it is, and shoots."""

    shots_from_a_place = 10_000

    def update(self) -> None:
        """All its life."""
        if not self.shoot():
            self.rest()


class Wall(Guard):
    """Ten hits of a cannon on its body, and it still stands in the way."""

    drawing = """
        ##
        ##
        ##
    """


class Cannon(Guard):
    """Along a row it hits with 7, 14 cells far; its front is as hard as it is long."""

    drawing = "#######"


class Tower(Guard):
    """A cannon that stands upright, for the lines before and behind the home."""

    drawing = "\n".join("#" * 7)


class Garrison(FlagRunner):
    """Waits behind the walls, shoots at what comes through, and leaves them late."""

    drawing = "###"
    call = "the gates are open"

    def update(self) -> None:
        """Before the sally it only shoots."""
        if self.carry() or self.shoot() or self.aim() or self.cover():
            return
        if self.now > self.settings.max_turns // SALLY:
            self.reach(self.enemy_home)
        else:
            self.rest()


class Player(BasePlayer):
    """From the home outwards: towers, cannons, the garrison, walls."""

    def design(self) -> None:
        """What is most important first, as long as there are cells."""
        home = self.home
        right, bottom = home.u + home.width, home.v + home.height
        self.left = self.settings.max_cells
        for u in (right, home.u - 1):
            self.add(Tower, 7, u, home.v - 12)
            self.add(Tower, 7, u, bottom + 5)
        for v in (home.v - 1, bottom, home.v + 1, bottom - 2):
            self.add(Cannon, 7, right + 5, v)
        for number in range(4):
            self.add(Wall, 6, right + 14, home.v - 6 + 4 * number)
        for number in range(self.left // 3):
            column, row = divmod(number, 14)
            self.add(Garrison, 3, right + 18 + 4 * column, home.v - 12 + 2 * row)

    def add(self, kind: type[Shape], size: int, u: int, v: int) -> None:
        """Where there is room on the grid."""
        rows = 7 if kind is Tower else 3 if kind is Wall else 1
        if size <= self.left and 0 <= v <= self.settings.height - rows:
            self.place(kind, u, v)
            self.left -= size
