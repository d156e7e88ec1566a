"""Fortress: walls and cannons. It defends for half of the match, then goes for the flag.

Four bars in front of the home keep the way to it narrow. Cannons behind them shoot along the rows
in which enemies come, and along the lines beside the home in which they must stand to capture.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Shape
from engine.games.game_of_death.soldier import Soldier

NAME = "Fortress"
AUTHOR = "Slime Mind"
VERSION = "1"

SALLY = 2
"""The garrison attacks after this part of the match's turns: 2 is a half."""


class Guard(Soldier):
    """A shape that stays where it is, and shoots."""

    shots_from_a_place = 10_000

    def update(self) -> None:
        """Shoot, or rest."""
        if not self.shoot():
            self.rest()


class Wall(Guard):
    """An obstacle: even its body still blocks the way after ten hits of a cannon."""

    drawing = """
        ##
        ##
        ##
    """


class Cannon(Guard):
    """A long gun: it hits with 7, 14 cells far, and its front has the best defense."""

    drawing = "#######"


class Tower(Guard):
    """An upright cannon, for the lines in front of and behind the home."""

    drawing = "\n".join("#" * 7)


class Garrison(FlagRunner):
    """Waits behind the walls, shoots at enemies that come through, and attacks late."""

    drawing = "###"
    call = "the gates are open"

    def update(self) -> None:
        """Shoot and cover; after half of the match, run for the flag."""
        if self.carry() or self.shoot() or self.aim() or self.cover():
            return
        if self.now > self.settings.max_turns // SALLY:
            self.reach(self.enemy_home)
        else:
            self.rest()


class Player(BasePlayer):
    """Towers and cannons at the home, then walls, then the garrison."""

    def design(self) -> None:
        """Place the most important shapes first, as long as there are cells."""
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
        """Place a shape if it is on the grid and there are cells enough."""
        rows = 7 if kind is Tower else 3 if kind is Wall else 1
        if size <= self.left and 0 <= v <= self.settings.height - rows:
            self.place(kind, u, v)
            self.left -= size
