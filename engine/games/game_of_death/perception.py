"""What the shapes of a team see and hear (in the team's worker process)."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from engine.games.game_of_death.events import Heard
from engine.games.game_of_death.geometry import Cell
from engine.games.game_of_death.state import Battle
from engine.limits import Limits
from engine.support.plain_values import require_whole

FRIEND, HOSTILE, BODY, NOTHING, OWN_HOME, ENEMY_HOME = "fhx.FH"
UNSEEN = " "
FEW_CELLS = 100
"""Up to so many cells are looked through in plain Python: numpy takes longer to begin."""
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


class Home(NamedTuple):
    """A home, in the player's frame."""

    u: int
    """Its first column."""
    v: int
    """Its first row."""
    width: int
    """Its width, cells."""
    height: int
    """Its height, cells."""

    @property
    def sides(self) -> tuple[range, range]:
        """Its columns and its rows."""
        return range(self.u, self.u + self.width), range(self.v, self.v + self.height)

    @property
    def edge(self) -> frozenset[Cell]:
        """The cells that share an edge with it (rules 6.12)."""
        return _border_cells(self)


@lru_cache(maxsize=64)
def _border_cells(home: Home) -> frozenset[Cell]:
    across, down = home.sides
    above_and_below = {(u, v) for u in across for v in (home.v - 1, home.v + home.height)}
    beside = {(u, v) for v in down for u in (home.u - 1, home.u + home.width)}
    return frozenset(above_and_below | beside)


def cell_of(u: int, v: int) -> Cell:
    """Return a cell in numbers of Python's own. Raises: TypeError for what is no whole number."""
    if type(u) is int and type(v) is int:
        return u, v
    return require_whole(u, "u"), require_whole(v, "v")


class View(NamedTuple):
    """All that a shape sees in a turn, as text: the part of the grid around it."""

    u: int
    """The column of the upper left cell."""
    v: int
    """The row of the upper left cell."""
    rows: tuple[str, ...]
    """A text per row and a letter per cell, as `see` returns it; a blank is out of sight."""

    def at(self, u: int, v: int) -> str | None:
        """Return what `see` would: what is on a cell, or None if it is out of sight."""
        u, v = cell_of(u, v)
        column, row = u - self.u, v - self.v
        if not (0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])):
            return None
        there = self.rows[row][column]
        return None if there == UNSEEN else there

    def cells(self, what: str) -> list[Cell]:
        """Return all cells in sight on which this is, row by row."""
        return [
            (self.u + column, self.v + row)
            for row, text in enumerate(self.rows)
            if what in text
            for column, there in enumerate(text)
            if there == what
        ]


class HeardBroadcasts:
    """The broadcasts of a turn; decoded when a shape reads them, which many never do."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    @cached_property
    def _groups(self) -> list[tuple[int, tuple[str, ...]]]:
        heard = self._heard
        numbers = [int(digits, 16) for digits in heard.ears]
        return list(zip(numbers, heard.texts, strict=True))

    def for_shape(self, number: int) -> list[str]:
        """Return what the shape with this number could hear."""
        return [text for numbers, texts in self._groups if numbers >> number & 1 for text in texts]


class OtherTeam:
    """Another team, as every shape may know it: its home, and whether it is out (rules 8.5)."""

    def __init__(self, battle: Battle, team: int, home: Home) -> None:
        self._battle = battle
        self._team = team
        self.home = home
        """Its home, in your frame."""

    @property
    def is_defeated(self) -> bool:
        """Whether it is out: it has no shapes and no flag any more."""
        return self._battle.is_defeated(self._team)


class TeamPerception:
    """What all shapes of a team share: the process's copy of the battle, and what was heard."""

    def __init__(self, battle: Battle, team: int, limits: Limits) -> None:
        self.battle = battle
        self.team = team
        self.frame = battle.frames[team - 1]
        self.world = self.frame.inverse
        """Turns cells of the frame into cells of the world."""
        self._group = battle.team_group(team)
        self.limits = limits
        self.batches: list[HeardBroadcasts] = []
        self.home = self._make_home(team)
        self.enemies, self.partners = (
            tuple(OtherTeam(battle, other, self._make_home(other)) for other in others)
            for others in (battle.enemy_teams(team), battle.partner_teams(team))
        )
        """All enemies, and those who play together with the team, clockwise from the own seat."""
        self.friendly: tuple[int, ...] | None = None
        """The friendly cells in sight of a shape that is alone in its process (rules 8.6)."""
        self._turn = 0
        self._homes = self._home_letters()
        self._letters: dict[int, str] | None = None
        """The letter of each place that is not empty, if one was asked for this turn."""
        self._cells: dict[str, list[Cell]] = {}
        self._columns_and_rows: dict[str, tuple[Numbers, Numbers]] = {}
        """Cells by their letter, as far as one was asked for this turn."""
        self._rows: list[str] | None = None
        """The letters of all cells, if they were asked for this turn."""

    def _make_home(self, team: int) -> Home:
        home = self.battle.home(team)
        assert home is not None
        return Home(*self.frame.box(home))

    @property
    def enemy_home(self) -> Home:
        """The home of the enemy opposite; once that is out, of the next one that is not.

        An army that knows of one enemy alone plays against several by this.
        """
        opposite = len(self.enemies) // 2
        order = (*self.enemies[opposite:], *self.enemies[:opposite])
        return next((enemy.home for enemy in order if not enemy.is_defeated), order[0].home)

    def update(self) -> None:
        """Take over what a new turn brought."""
        battle = self.battle
        if battle.turn == self._turn:
            return
        self._turn = battle.turn
        heard = battle.heard
        self._letters, self._rows = None, None
        self._cells, self._columns_and_rows = {}, {}
        if heard is not None and heard.turn == battle.turn - 1:
            self.batches.append(HeardBroadcasts(heard))

    def at(self, cell: int) -> str:
        """Return the letter of a place on the grid, for a shape near enough to see it."""
        return self.letters.get(cell, NOTHING)

    def cells_around(self, anchor: Cell, what: str) -> list[Cell]:
        """Return all cells with this letter within sight of a cell of the frame, nearest first."""
        (au, av), cells = anchor, self._find_cells(what)
        reach = self.battle.settings.sight**2
        if len(cells) <= FEW_CELLS:
            near = [
                (square, u, v)
                for u, v in cells
                if (square := (u - au) * (u - au) + (v - av) * (v - av)) <= reach
            ]
            near.sort()
            return [(u, v) for _, u, v in near]
        return self._cells_around(anchor, what, reach)

    def _cells_around(self, anchor: Cell, what: str, reach: int) -> list[Cell]:
        """Do the same with numpy, which many cells are worth."""
        import numpy as np  # not above: the engine has no need of it, and workers begin with it

        if what not in self._columns_and_rows:
            us, vs = np.array(self._find_cells(what), np.int64).T
            self._columns_and_rows[what] = us, vs
        (au, av), (us, vs) = anchor, self._columns_and_rows[what]
        squares = (us - au) ** 2 + (vs - av) ** 2
        near = np.flatnonzero(squares <= reach)
        if not near.size:
            return []  # as mostly; the rest takes as long again
        us, vs = us[near], vs[near]
        order = np.lexsort((vs, us, squares[near]))
        return list(zip(us[order].tolist(), vs[order].tolist(), strict=True))

    def _find_cells(self, what: str) -> list[Cell]:
        """Return all cells with this letter that the team sees."""
        cells = self._cells.get(what)
        if cells is None:
            width = self.battle.settings.width
            cells = self._cells[what] = self.frame.turn_places(self._places_of_kind(what), width)
        return cells

    def view(self, anchor: Cell) -> View:
        """Return what is within sight of a cell of the frame (rules 5.8)."""
        settings, rows = self.battle.settings, self.rows
        (au, av), sight = anchor, settings.sight
        first, last = max(0, au - sight), min(settings.width, au + sight + 1)
        top, bottom = max(0, av - sight), min(settings.height, av + sight + 1)
        seen = []
        for v in range(top, bottom):
            # Half the width of the disk in this row: an integer root, so that the edge is exact.
            half = isqrt(sight * sight - (v - av) ** 2)
            left, right = max(first, au - half), min(last, au + half + 1)
            seen.append(UNSEEN * (left - first) + rows[v][left:right] + UNSEEN * (last - right))
        return View(first, top, tuple(seen))

    @property
    def rows(self) -> list[str]:
        """The letters of all cells, a text per row of the frame, made once for all shapes."""
        if self._rows is None:
            self._rows = self._turn_rows(self._make_letters())
        return self._rows

    def _turn_rows(self, letters: str) -> list[str]:
        """Return the rows of the frame, from the letters of all places."""
        width = self.battle.settings.width
        match self.frame.quarters:
            case 1:
                return [letters[column::width] for column in reversed(range(width))]
            case 3:
                return [letters[column::width][::-1] for column in range(width)]
            case 2:
                letters = letters[::-1]
        return [letters[at : at + width] for at in range(0, len(letters), width)]

    @property
    def letters(self) -> dict[int, str]:
        """The letter of each place of the world that is not empty, made once for all shapes."""
        if self._letters is None:
            letters = self._letters = {}
            for what in (BODY, HOSTILE, FRIEND):
                letters |= dict.fromkeys(self._places_of_kind(what), what)
            letters |= self._homes
        return self._letters

    def line(self, cell: Cell, step: Cell, count: int) -> str:
        """Return the letters of at most so many cells of the frame, as far as they are on the grid.

        The line begins at a cell and goes on by steps; whether a shape sees them is not looked at.
        """
        settings, width = self.battle.settings, self.battle.settings.width
        (x, y), (to_x, to_y) = (
            self.world.turn_cell(each) for each in (cell, (cell[0] + step[0], cell[1] + step[1]))
        )
        dx, dy = to_x - x, to_y - y
        room = (
            (settings.width - x if dx > 0 else x + 1)
            if dx
            else (settings.height - y if dy > 0 else y + 1)
        )
        if not (0 <= x < width and 0 <= y < settings.height):
            return ""
        start, change = y * width + x, dy * width + dx
        places, letter = range(start, start + min(count, room) * change, change), self.letters.get
        return "".join([letter(place, NOTHING) for place in places])

    def _make_letters(self) -> str:
        """Return the letters of all places of the world."""
        letters = bytearray(NOTHING.encode() * len(self.battle.grid))
        for cell, letter in self.letters.items():
            letters[cell] = ord(letter)
        return letters.decode()

    def _home_letters(self) -> dict[int, str]:
        """Return the letter of each place of a home."""
        battle, letters = self.battle, dict[int, str]()
        width = battle.settings.width
        for team in battle.all_teams:
            home, what = battle.home(team), OWN_HOME if team in self._group else ENEMY_HOME
            assert home is not None
            for y in range(home.y, home.y + home.height):
                start = y * width + home.x
                letters |= dict.fromkeys(range(start, start + home.width), what)
        return letters

    def _places_of_kind(self, what: str) -> Iterable[int]:
        battle = self.battle
        if what == FRIEND and self.friendly is not None:
            return self.friendly
        if what == FRIEND:
            own = [cell for shape in battle.shapes.values() for cell in battle.places(shape)]
            return [*own, *(battle.sight.friendly if battle.sight else ())]
        if battle.sight is None:
            return ()
        return battle.sight.hostile if what == HOSTILE else battle.sight.bodies
