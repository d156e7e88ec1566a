"""Raiders: many fast runners for the flag, with lancers that shoot the way free for them.

A bar of three cells that points at the enemy is fast (one cell per turn), is hit in a single row
only, and attacks with 3 to the front and to the back.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Shape
from engine.games.game_of_death.soldier import Soldier

NAME = "Raiders"
AUTHOR = "Slime Mind"
VERSION = "1"

CALL = "raid done"
"""The broadcast of the flag's bearer: the others make room. Enemies hear it, too."""


class Runner(FlagRunner):
    """A shape that runs to the flag, and home with it."""

    drawing = "###"
    call = CALL

    def update(self) -> None:
        """Carry or capture the flag, shoot, aim, cover the bearer, or run, in this order."""
        if not (self.carry() or self.shoot() or self.aim() or self.cover()):
            self.reach(self.enemy_home)


class Lancer(FlagRunner):
    """An escort: it shoots farther, hits twice as hard, and moves half as fast."""

    drawing = "######"
    call = CALL

    def update(self) -> None:
        """Shoot while moving: an attack does not interrupt a pending move (rules 5.3)."""
        if (
            self.carry()
            or self.shoot()
            or (self.pending is not None and self.progress < self.speed)
        ):
            return
        enemies = self.seen("h")
        if enemies:
            self.chase(enemies)
        elif not self.cover():
            self.reach(self.enemy_home)


class Watch(Soldier):
    """A guard: it shoots along a side of the home, where enemies must stand to capture."""

    drawing = """
        #
        #
        #
        #
        #
        #
        #
    """
    shots_from_a_place = 10_000

    def update(self) -> None:
        """Shoot: one shot kills whatever has 6 hp or less."""
        if not self.shoot():
            self.rest()


class Player(BasePlayer):
    """A watch beside the home, the rest in columns at the front."""

    def design(self) -> None:
        """Place a watch, use an eighth of the cells for lancers, the rest for runners."""
        home, settings = self.home, self.settings
        self.place(Watch, home.u + home.width, max(home.v - 12, self.zone_rows.start))
        lancers = settings.max_cells // 8 // 6
        runners = (settings.max_cells - 7 - 6 * lancers) // 3
        kinds: list[type[Shape]] = [Lancer] * lancers + [Runner] * runners
        zone = self.zone_rows
        places = [(n, v) for n in range(20) for v in zone[n % 2 :: 2]]
        near = home.v + home.height // 2
        front = sorted(places, key=lambda place: (place[0], abs(place[1] - near)))
        for kind, (column, v) in zip(kinds, front, strict=False):
            self.place(kind, settings.zone_width - 6 - 7 * column, v)
