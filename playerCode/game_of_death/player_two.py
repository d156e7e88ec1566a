"""Fortress: keeps that nobody small comes past. It attacks nobody, and wins by those who come.

A block of seven by seven hits with 7 to all four sides, in lanes as wide as itself that reach over
the whole grid: every small shape in them dies of one shot. Keeps stand at the corners of the home,
so that whoever would capture its flag must stand in a lane. After the last turn the side that has
killed more wins (rules 7.3). Against long bars that point at them keeps are helpless (player_six).
"""

from engine.games.game_of_death.player import BasePlayer, Shape
from engine.games.game_of_death.soldier import Soldier

NAME = "Fortress"
AUTHOR = "Slime Mind"
VERSION = "3"


class Keep(Soldier):
    """Stays where it is, and shoots where most enemies are."""

    shots_from_a_place = 100_000

    def update(self) -> None:
        """Shoot at enemies; else clear the lanes of bodies, which enemies hide behind."""
        if not (self.shoot() or self.clear()):
            self.rest()

    def clear(self) -> bool:
        """Shoot at bodies in a lane, unless a friend is there; return whether it did."""
        if self.cooldown:
            return False
        for direction in ("left", "backward", "right", "forward"):
            hit = self.hits(direction)
            if "x" in hit and "f" not in hit:
                self.attack(direction)
                return True
        return False


class Donjon(Keep):
    """The main keep: thick on all sides."""

    drawing = "\n".join(["#######"] * 7)


class Bastion(Keep):
    """A tower as wide as the strip behind the home."""

    drawing = "\n".join(["####"] * 7)


class Outwork(Keep):
    """Stands in nobody's lane, and has the approach in its own."""

    drawing = "\n".join(["######"] * 7)


class Player(BasePlayer):
    """A donjon and a bastion at two corners of the home, outworks from the other cells."""

    def design(self) -> None:
        """Place the most important shapes first, as long as there are cells."""
        home, rows = self.home, self.zone_rows
        right, bottom = home.u + home.width, home.v + home.height
        self.add(Donjon, right, max(home.v - 7, rows.start))
        self.add(Bastion, home.u - 4, min(bottom, rows.stop - 7))
        for number, u in enumerate(range(right + 8, self.settings.zone_width - 6, 8)):
            below, above = bottom + 8 * (number + 1), home.v - 7 - 8 * (number + 1)
            self.add(Outwork, u, min(below, rows.stop - 7) if number % 2 == 0 else above)

    def add(self, kind: type[Shape], u: int, v: int) -> None:
        """Place a shape if there are cells enough, and it is in the zone."""
        if self.fits(kind, u, v):
            self.place(kind, u, v)
