"""Patience: it lets the enemy come, and goes for the flag when its watches see no more enemies.

To capture a flag, a shape must stand beside the home for three turns, in one of four lines. Six
watches shoot along these lines. They broadcast an alarm when they see enemies: then all stay and
fight; when there was no alarm for a while, the hunters go. Against an enemy who waits as well, two
long bars are on their way from the first turn on: one level, and one upright, for flanks.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Cell
from engine.games.game_of_death.soldier import Soldier

NAME = "Patience"
AUTHOR = "Slime Mind"
VERSION = "3"

ALARM = "they come"
"""The broadcast of a watch that sees enemies."""
QUIET = 12
"""Turns without an alarm after which the hunters go."""
LONGEST_WAIT = 4
"""After a quarter of the match's turns they go anyway."""
LEASH = 30
"""How far from home hunters chase enemies before that, cells."""
AWAY = 5
"""The distance from the home to the watches, so that a bearer has room to come home."""


class Hunter(FlagRunner):
    """Waits and fights at home, and then runs for the flag."""

    drawing = "###"
    call = "I have it"

    def __init__(self) -> None:
        """Remember the last alarm, whether to go, and the place to wait at."""
        self.alarmed = 0
        self.goes = False
        self.post: Cell | None = None

    def update(self) -> None:
        """Carry the flag; else decide by the alarms heard whether to fight or to run."""
        if self.carry():
            return
        self.decide()
        if self.shoot() or self.aim() or self.cover():
            return
        if self.goes:
            self.reach(self.enemy_home)
        else:
            self.wait()

    def decide(self) -> None:
        """Decide whether it is time to go, by the alarms heard."""
        if self.post is None:
            self.post = self.anchor
        if ALARM in self.heard:
            self.alarmed = self.now
        is_over = 0 < self.alarmed < self.now - QUIET
        is_late = self.now > self.settings.max_turns // LONGEST_WAIT
        self.goes = self.goes or is_over or is_late

    def wait(self) -> None:
        """Chase enemies near the home; otherwise go back to its place."""
        assert self.post is not None
        near = [(u, v) for u, v in self.seen("h") if u < self.home.u + LEASH]
        if near:
            self.chase(near)
        elif self.anchor == self.post or not self.walk_to(*self.post):
            self.rest()


class Pike(Soldier):
    """Slow, and from the front not hurt by the shots of a keep (player_six has more of them)."""

    drawing = "#" * 21
    shots_from_a_place = 10_000

    def update(self) -> None:
        """Shoot to the front or the back; else go to the enemies in sight, or to the flag."""
        if self.shoot(least=3) or (self.pending is not None and self.progress < self.speed):
            return
        if not self.chase(self.seen("h"), least=3):
            self.reach(self.enemy_home)


class Flanker(Pike):
    """A pike drawn upright, which comes beside long bars and shoots at their thin flanks."""

    drawing = "\n".join("#" * 21)

    def update(self) -> None:
        """Go straight on in its own rows, until it sees enemies or is as far as their home."""
        if self.seen("h") or not self.walk_to(self.enemy_home.u, self.anchor[1]):
            super().update()


class Watch(Soldier):
    """Shoots along a side of the home, and broadcasts an alarm when it sees enemies."""

    shots_from_a_place = 10_000

    def update(self) -> None:
        """Broadcast the alarm (enemies hear it, too, but learn nothing from it), and shoot."""
        enemies = self.seen("h")
        if enemies:
            self.broadcast(ALARM)
        if not self.shoot():
            self.rest()


class Upright(Watch):
    """An upright watch, for the lines in front of and behind the home."""

    drawing = "\n".join("#" * 7)


class Level(Watch):
    """A level watch, for the lines above and below the home."""

    drawing = "#" * 7


class Player(BasePlayer):
    """Watches at the ends of the four lines, pikes and hunters between them and the enemy."""

    def design(self) -> None:
        """Place six watches, use a third of the cells for pikes, and all others for hunters."""
        home, settings = self.home, self.settings
        right, bottom = home.u + home.width, home.v + home.height
        for u in (home.u - 1, right):
            self.place(Upright, u, max(home.v - 7 - AWAY, self.zone_rows.start))
            self.place(Upright, u, min(bottom + AWAY, self.zone_rows.stop - 7))
        for v in (home.v - 1, bottom):
            self.place(Level, right + AWAY, v)
        for number in range(settings.max_cells // 120):
            self.place_pikes(settings.zone_width - 1 - number)
        near = home.v + home.height // 2
        columns = range(right + AWAY + 8, settings.zone_width - 2, 4)
        places = [(u, v) for u in columns for v in self.zone_rows]
        places.sort(key=lambda place: (abs(place[1] - near) // 8, place[0], place[1]))
        for u, v in places:
            if (u // 4 + v) % 2 and self.fits(Hunter, u, v):
                self.place(Hunter, u, v)

    def place_pikes(self, front: int) -> None:
        """Place a level one in a row beside the enemy's home, an upright one farther from it."""
        rows, aim = self.zone_rows, self.enemy_home.v + self.enemy_home.height // 2
        far = max(8, len(rows) // 8)
        is_above = 2 * aim > rows.start + rows.stop
        self.place_beside(Flanker, front, aim - far - 21 if is_above else aim + far)
        self.place_beside(Pike, self.settings.zone_width - 25, aim - 6)

    def place_beside(self, kind: type[Soldier], u: int, wanted: int) -> None:
        """Place a shape in this row, or as near to it as there is room."""
        for v in sorted(self.zone_rows, key=lambda v: abs(v - wanted)):
            if self.fits(kind, u, v):
                self.place(kind, u, v)
                return
