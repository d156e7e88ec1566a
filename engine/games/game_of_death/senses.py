"""What the shapes of a team perceive, all in their one process (in the worker)."""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from engine.bots.limits import Limits
from engine.games.game_of_death.events import Heard
from engine.games.game_of_death.forms import Cell
from engine.games.game_of_death.state import FREE, HOMES, Battle, Box

FRIEND, HOSTILE, BODY, NOTHING, OWN_HOME, ENEMY_HOME = "fhx.FH"


class Home(NamedTuple):
    """A home, in the player's frame."""

    u: int
    v: int
    width: int
    height: int

    @property
    def edge(self) -> set[Cell]:
        """The cells that share an edge with it (rules 6.12)."""
        across, down = range(self.u, self.u + self.width), range(self.v, self.v + self.height)
        above_and_below = {(u, v) for u in across for v in (self.v - 1, self.v + self.height)}
        return above_and_below | {(u, v) for v in down for u in (self.u - 1, self.u + self.width)}


class Batch:
    """What was broadcast in a turn; read when a shape asks for it, which many never do."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    @cached_property
    def _groups(self) -> list[tuple[int, tuple[str, ...]]]:
        heard = self._heard
        ears = [int(digits, 16) for digits in heard.ears]
        return list(zip(ears, heard.texts, strict=True))

    def for_shape(self, number: int) -> list[str]:
        """What the shape of this number could hear."""
        return [text for ears, texts in self._groups if ears >> number & 1 for text in texts]


class Frame:
    """A team's view of the grid: for team 2 turned by 180 degrees (rules 2.2)."""

    def __init__(self, battle: Battle, team: int) -> None:
        self.team = team
        self.is_turned = team == 2
        self._right = battle.settings.width - 1
        self._bottom = battle.settings.height - 1

    def turned(self, cell: Cell) -> Cell:
        """From the world to the frame, and back."""
        return (self._right - cell[0], self._bottom - cell[1]) if self.is_turned else cell

    def box(self, box: Box) -> Box:
        """A rectangle of the world, in the frame."""
        if not self.is_turned:
            return box
        u, v = self.turned((box.x + box.width - 1, box.y + box.height - 1))
        return Box(u, v, box.width, box.height)


class Senses:
    """What all shapes of a team share: their process's copy of the battle, and who heard what."""

    def __init__(self, battle: Battle, team: int, limits: Limits) -> None:
        self.battle = battle
        self.frame = Frame(battle, team)
        self.limits = limits
        self.batches: list[Batch] = []
        own, enemy = battle.home(team), battle.home(3 - team)
        assert own is not None
        assert enemy is not None
        self.homes = Home(*self.frame.box(own)), Home(*self.frame.box(enemy))
        """Its own, and the enemy's."""
        self._turn = 0
        self._hostile: frozenset[int] = frozenset()
        self._bodies: frozenset[int] = frozenset()
        self._cells: dict[str, list[Cell]] = {}
        """By what is there, as far as it was asked for this turn."""

    def look(self) -> None:
        """Take in what a new turn brought."""
        battle = self.battle
        if battle.turn == self._turn:
            return
        self._turn = battle.turn
        sight, heard = battle.sight, battle.heard
        self._hostile = frozenset(sight.hostile if sight else ())
        self._bodies = frozenset(sight.bodies if sight else ())
        self._cells = {}
        if heard is not None and heard.turn == battle.turn - 1:
            self.batches.append(Batch(heard))

    def at(self, place: int) -> str:
        """What is on a place of the grid, for who is near enough to see it."""
        there = self.battle.grid[place]
        if there == FREE:
            if place in self._hostile:
                return HOSTILE
            return BODY if place in self._bodies else NOTHING
        if there == HOMES[self.frame.team - 1]:
            return OWN_HOME
        return ENEMY_HOME if there < 0 else FRIEND

    def cells(self, what: str) -> list[Cell]:
        """Where there is such a thing, anywhere the team sees."""
        if what not in self._cells:
            width, turned = self.battle.settings.width, self.frame.turned
            places = self._places(what)
            self._cells[what] = [turned((place % width, place // width)) for place in places]
        return self._cells[what]

    def _places(self, what: str) -> Iterable[int]:
        battle = self.battle
        if what == FRIEND:
            return [place for shape in battle.shapes.values() for place in battle.places(shape)]
        assert battle.sight is not None
        return battle.sight.hostile if what == HOSTILE else battle.sight.bodies
