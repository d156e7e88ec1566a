"""Bars: two long bars beside the home, which never move and shoot at what they cannot see.

A range is twice the size (rules 4.1): on a small grid that of 60 cells is longer than the way
between the homes. A bar hits with 30 to its front, and nothing lives long in its lane. But it hits
with 2 to its flanks, which are as thin: whoever comes from there, and is four cells thick, is not
hurt, and hurts it. Who only waits loses against those who know where it is weak (player_six).
"""

from engine.games.game_of_death.player import BasePlayer
from engine.games.game_of_death.soldier import Soldier

NAME = "Bars"
AUTHOR = "Slime Mind"
VERSION = "1"


class Bar(Soldier):
    """Stays where it is, and shoots in every second turn."""

    drawing = "\n".join(["#" * 30] * 2)
    shots_from_a_place = 100_000

    def update(self) -> None:
        """Shoot at enemies in sight; if there are none, forward, at those that are out of sight."""
        if self.shoot():
            return
        if self.cooldown:
            self.rest()
        else:
            self.attack("forward")


class Player(BasePlayer):
    """Bars above and below the home, and farther from it if there are cells for more."""

    def design(self) -> None:
        """Place them in pairs, with two free rows between one pair and the next."""
        home = self.home
        for distance in range(0, len(self.zone_rows), 4):
            for v in (home.v - 2 - distance, home.v + home.height + distance):
                if self.fits(Bar, 0, v):
                    self.place(Bar, 0, v)
