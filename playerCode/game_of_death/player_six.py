"""Pikes: long bars that open a fortress, and a keep that holds the home meanwhile.

The defense of a side is a third of its thickness (rules 4.4). A bar of 21 cells that points at its
enemy loses nothing by a shot of 7, and hits with 21. Its flanks are as thin as those of a bar of
one: what is fast must be stopped by others, or by the home. Of bars that do not move (player_seven)
a pike that was drawn upright is the end: it comes from where their lanes do not reach.
"""

from engine.games.game_of_death.player import BasePlayer
from engine.games.game_of_death.soldier import Soldier

NAME = "Pikes"
AUTHOR = "Slime Mind"
VERSION = "2"


class Pike(Soldier):
    """Goes where it can shoot at enemies: a cell in seven turns."""

    drawing = "#" * 21
    shots_from_a_place = 100_000

    def update(self) -> None:
        """Shoot to the front or the back; else go on, to the enemies in sight or to the flag."""
        if self.shoot(least=3) or (self.pending is not None and self.progress < self.speed):
            return
        if not self.chase(self.seen("h"), least=3):
            self.reach(self.enemy_home)


class Flanker(Pike):
    """Comes beside long bars, and shoots all of them through their thin flanks at once."""

    drawing = "\n".join("#" * 21)

    def update(self) -> None:
        """Go straight on in its own rows, until it sees enemies or is as far as their home."""
        if self.seen("h") or not self.walk_to(self.enemy_home.u, self.anchor[1]):
            super().update()


class Guard(Soldier):
    """Stays where it is, and shoots at what comes into its lanes."""

    shots_from_a_place = 100_000

    def update(self) -> None:
        """Shoot, or rest."""
        if not self.shoot():
            self.rest()


class Keep(Guard):
    """Kills small shapes with one shot, and is thick on all sides."""

    drawing = "\n".join(["#######"] * 7)


class Watch(Guard):
    """Shoots along the side of the home that is nearest to the own edge."""

    drawing = "\n".join("#" * 7)


class Player(BasePlayer):
    """A keep and a watch at two corners of the home; pikes in rows around the enemy's home."""

    def design(self) -> None:
        """Place flankers, and as many pikes as there are cells, three rows apart."""
        home, rows = self.home, self.zone_rows
        self.place(Keep, home.u + home.width, max(home.v - 7, rows.start))
        below = home.v + home.height
        self.place(Watch, home.u - 1, min(below + 1, rows.stop - 7))
        aim = self.enemy_home.v + self.enemy_home.height // 2
        front = self.settings.zone_width - 21
        far = max(8, len(rows) // 8)
        is_above = 2 * aim > rows.start + rows.stop
        v = aim - far - 21 if is_above else aim + far
        for _ in range(self.settings.max_cells // 120):
            self.place_near(Flanker, self.settings.zone_width - 1, v)
        for distance in range(5, len(rows), 3):
            for v in (aim + distance, aim - distance):
                if self.fits(Pike, front, v):
                    self.place(Pike, front, v)
