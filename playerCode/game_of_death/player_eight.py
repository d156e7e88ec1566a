"""Walls: upright walls before the home, which never move and shoot over their whole width.

A lane is as wide as the shape (rules 6.1): three walls of twenty rows reach all of a small grid.
They hit with 2, which kills all that is small before it arrives. But a side four cells thick has
defense 2 (rules 4.4): bars that point at a wall lose nothing, and it has no other weapon. The bars
of player_six do not even have to hurry.
"""

from engine.games.game_of_death.player import BasePlayer
from engine.games.game_of_death.soldier import Soldier

NAME = "Walls"
AUTHOR = "Slime Mind"
VERSION = "1"


class Wall(Soldier):
    """Stays where it is, and shoots in every second turn."""

    drawing = "\n".join(["##"] * 20)
    shots_from_a_place = 100_000

    def update(self) -> None:
        """Shoot at enemies in sight; if there are none, forward, unless a wall stands there."""
        if self.shoot():
            return
        if self.cooldown or "f" in self.hits("forward"):
            self.rest()
        else:
            self.attack("forward")


class Player(BasePlayer):
    """Walls one below the other from edge to edge, in as many columns as there are cells for."""

    def design(self) -> None:
        """Place the column before the home first."""
        right = self.home.u + self.home.width
        for u in range(right, self.settings.zone_width - 1, 3):
            for v in self.zone_rows[::20]:
                if self.fits(Wall, u, v):
                    self.place(Wall, u, v)
