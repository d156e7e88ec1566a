"""Raiders: many quick runners for the flag, with lancers that shoot a way free for them.

A bar of three cells that lies towards the enemy is quick (a cell in every turn), shows the enemy a
single row, and hits with 3 to the front and to the back.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Shape
from engine.games.game_of_death.soldier import Soldier

NAME = "Raiders"
AUTHOR = "Slime Mind"
VERSION = "1"

CALL = "raid done"
"""What who has the flag calls: the others clear the way. Foes hear it, too: it is our own word."""


class Runner(FlagRunner):
    """To the flag, and home with it."""

    drawing = "###"
    call = CALL

    def update(self) -> None:
        """Capture, carry, or go there; shoot at what stands in the way."""
        if not (self.carry() or self.shoot() or self.aim() or self.cover()):
            self.reach(self.enemy_home)


class Lancer(FlagRunner):
    """An escort: it reaches farther, hits twice as hard, and moves half as fast."""

    drawing = "######"
    call = CALL

    def update(self) -> None:
        """Shoot while it walks: an attack does not hold up a move that is under way."""
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
    """It stays, and shoots along a side of the home, where who captures the flag has to stand."""

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
        """One shot of it kills whatever has 6 hp or less."""
        if not self.shoot():
            self.rest()


class Player(BasePlayer):
    """Watches beside the home, the rest in a column at the front."""

    def design(self) -> None:
        """A watch at the front of the home, an eighth of the cells for lancers, then runners."""
        home, settings = self.home, self.settings
        self.place(Watch, home.u + home.width, home.v - 12)
        lancers = settings.max_cells // 8 // 6
        runners = (settings.max_cells - 7 - 6 * lancers) // 3
        kinds: list[type[Shape]] = [Lancer] * lancers + [Runner] * runners
        rows = settings.height // 2
        places = [(column, 2 * row + column % 2) for column in range(20) for row in range(rows)]
        near = home.v + home.height // 2
        front = sorted(places, key=lambda place: (place[0], abs(place[1] - near)))
        for kind, (column, v) in zip(kinds, front, strict=False):
            self.place(kind, settings.zone_width - 6 - 7 * column, v)
