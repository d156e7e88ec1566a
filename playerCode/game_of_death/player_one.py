"""Militia: citizens who guard their home together, and then march on the enemy that came for it.

Whoever sees enemies near the home calls, and says whose home they came from. All who hear it go
there. Once it is quiet, the armies that attacked are weak at home: all march on the one of which
most was seen. Between two teams that is the only one; among four it is the victim they pick.
"""

from collections import Counter

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Cell, Home

NAME = "Militia"
AUTHOR = "Slime Mind"
VERSION = "2"

RAID = "raid"
"""The broadcast of who sees enemies, with the number of the enemy and the place of one of them."""
QUIET = 15
"""Turns without a raid after which all march."""
LATEST = 4
"""They march after this part of the match's turns at the latest: 4 is a quarter."""
NEAR = 34
"""How far from the home enemies are a raid, cells."""


class Citizen(FlagRunner):
    """Small and fast, and never alone."""

    drawing = "###"
    call = "to our home"

    def __init__(self) -> None:
        """Remember its post, the raids it heard of, and whether it marches."""
        self.post: Cell | None = None
        self.raids = Counter[int]()
        self.raided: tuple[int, Cell] | None = None
        self.marches = False

    @property
    def target(self) -> Home:
        """The home of the enemy of which most was seen, as long as that one is not out."""
        raiders = [number for number, _ in self.raids.most_common()]
        left = [n for n in raiders if not self.enemies[n].is_defeated]
        return self.enemies[left[0]].home if left else self.enemy_home

    def update(self) -> None:
        """Carry the flag; else fight, then march or stand by."""
        if self.carry():
            return
        self.listen()
        self.report()
        if self.shoot() or self.aim() or self.cover():
            return
        if self.marches:
            self.reach(self.target)
        else:
            self.stand_by()

    def listen(self) -> None:
        """Count the raids that were called, and decide whether it is time to march."""
        self.post = self.post or self.anchor
        for words in (text.split() for text in self.heard):
            if len(words) == 4 and words[0] == RAID and "".join(words[1:]).isdecimal():
                number, u, v = map(int, words[1:])
                if number < len(self.enemies):
                    self.raids[number] += 1
                    self.raided = self.now, (u, v)
        last = self.raided[0] if self.raided else 0
        is_over = 0 < last < self.now - QUIET
        self.marches = self.marches or is_over or self.now > self.settings.max_turns // LATEST

    def report(self) -> None:
        """Call the others if enemies are near the home."""
        enemies = self.seen("h")
        if not enemies or self.marches or distance(enemies[0], middle(self.home)) > NEAR:
            return
        u, v = enemies[0]
        homes = [middle(enemy.home) for enemy in self.enemies]
        nearest = min(range(len(homes)), key=lambda number: distance(homes[number], (u, v)))
        self.broadcast(f"{RAID} {nearest} {u} {v}")

    def stand_by(self) -> None:
        """Go where the raid is, or back to its post."""
        assert self.post is not None
        near = [cell for cell in self.seen("h") if distance(cell, middle(self.home)) <= NEAR]
        if near:
            self.chase(near)
        elif self.raided and self.raided[0] == self.now and self.walk_to(*self.raided[1]):
            return
        elif self.anchor == self.post or not self.walk_to(*self.post):
            self.rest()


class Player(BasePlayer):
    """Ranks of citizens before the home, nearest to it first."""

    def design(self) -> None:
        """Place as many as there are cells, with room to pass between them."""
        settings, home = self.settings, self.home
        near = home.v + home.height // 2
        columns = range(home.u + home.width + 4, settings.zone_width - 2, 5)
        places = [(u, v) for u in columns for v in self.zone_rows if (u // 5 + v) % 2]
        places.sort(key=lambda place: (abs(place[1] - near) // 10, place[0], place[1]))
        for u, v in places[: settings.max_cells // 3]:
            self.place(Citizen, u, v)


def middle(home: Home) -> Cell:
    """Return the middle cell of a home."""
    return home.u + home.width // 2, home.v + home.height // 2


def distance(one: Cell, other: Cell) -> int:
    """Return the distance in steps."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
