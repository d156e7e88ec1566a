"""The geometry of a shape, in its four orientations (docs/rules/game_of_death.md 4).

Directions are numbers clockwise: 0 E, 1 S, 2 W, 3 N in the world (y counts downwards), and
0 forward, 1 right, 2 backward, 3 left for a shape. A shape that faces `f` has direction `d` of
its own at `(f + d) % 4` of the world.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

Cell = tuple[int, int]

STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The step (x, y) of each direction of the world."""
SIDES = ("forward", "right", "backward", "left")
HEADINGS = "ESWN"
FILLED, EMPTY = "#", "."


class Side(NamedTuple):
    """A side of a shape as attacks see it (rules 4.2)."""

    thickness: int
    """T: the thickness of all its lines together."""
    lines: int


class Outline(NamedTuple):
    """A geometry in one orientation, on a grid of a certain width."""

    width: int
    height: int
    cells: tuple[Cell, ...]
    """Relative to the upper left corner of its bounding box, row by row."""
    offsets: tuple[int, ...]
    """The same as differences of places on the grid (y * width + x)."""
    edges: tuple[tuple[Cell, ...], ...]
    """The outermost cell of each line, for each direction (rules 4.2)."""


class Geometry:
    """What follows from a drawing. `make_geometry` makes one for each, so identity is equality."""

    def __init__(self, mask: tuple[str, ...]) -> None:
        self.mask = mask
        self.size = sum(row.count(FILLED) for row in mask)
        self.speed = -(-self.size // 3)
        """Turns per move (rules 4.1)."""
        self._cells = [_filled_cells(mask)]
        for _ in range(3):
            self._cells.append(turn_clockwise(self._cells[-1]))
        # Figures of sides are the same in all orientations: worked out once, facing east.
        facing_east = self.outline(0, 1)
        self.sides = tuple(
            _make_side(set(facing_east.cells), edge, direction)
            for direction, edge in enumerate(facing_east.edges)
        )
        """Forward, right, backward, left, relative to the shape."""

    def outline(self, facing: int, columns: int) -> Outline:
        """Return how it lies on a grid with this number of columns."""
        return _make_outline(self, facing, columns)

    def cells(self, facing: int) -> tuple[Cell, ...]:
        """Return its cells relative to the upper left corner, row by row."""
        return self._cells[facing]


@lru_cache(maxsize=10_000)
def make_geometry(mask: tuple[str, ...]) -> Geometry:
    """Return the geometry of a legal drawing, trimmed (rules 3.1)."""
    return Geometry(mask)


@lru_cache(maxsize=50_000)
def _make_outline(geometry: Geometry, facing: int, columns: int) -> Outline:
    cells = geometry.cells(facing)
    return Outline(
        width=1 + max(x for x, _ in cells),
        height=1 + max(y for _, y in cells),
        cells=cells,
        offsets=tuple(y * columns + x for x, y in cells),
        edges=tuple(edge_of(cells, direction) for direction in range(4)),
    )


def trim_drawing(rows: Sequence[str]) -> tuple[str, ...]:
    """Return a drawing without empty border rows and columns, its rows filled up (rules 3.1)."""
    full = [row.rstrip() for row in rows]
    width = max(map(len, full), default=0)
    padded = [row.ljust(width, EMPTY) for row in full]
    lit = [y for y, row in enumerate(padded) if FILLED in row]
    if not lit:
        return ()
    padded = padded[lit[0] : lit[-1] + 1]
    columns = [x for x in range(width) if any(row[x] == FILLED for row in padded)]
    return tuple(row[columns[0] : columns[-1] + 1] for row in padded)


def find_components(mask: Sequence[str]) -> list[set[Cell]]:
    """Return the connected components of a drawing's cells (rules 3.2: through edges)."""
    left, parts = set(_filled_cells(mask)), []
    while left:
        part, waiting = set[Cell](), [min(left, key=lambda cell: (cell[1], cell[0]))]
        while waiting:
            x, y = waiting.pop()
            if (x, y) in left:
                left.remove((x, y))
                part.add((x, y))
                waiting += [(x + dx, y + dy) for dx, dy in STEPS]
        parts.append(part)
    return parts


def turn_clockwise(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return cells turned a quarter clockwise: (i, j) becomes (h - 1 - j, i) (rules 6.11)."""
    cells = tuple(cells)
    last = max(y for _, y in cells)
    return tuple(sorted(((last - y, x) for x, y in cells), key=lambda cell: (cell[1], cell[0])))


@lru_cache(maxsize=100_000)
def compute_attack(side: Side, hp: int, max_hp: int) -> int:
    """Return the least a with a * a * n * n * max_hp >= T * T * hp (rules 4.3)."""
    # Integers throughout: ceil(T / n * sqrt(hp / max_hp)) in floats is wrong by one at times.
    return root_up(-(-(side.thickness**2) * hp // (side.lines**2 * max_hp)))


@lru_cache(maxsize=100_000)
def compute_defense(side: Side, hp: int, max_hp: int) -> int:
    """Return T * hp / (3 * n * max_hp), rounded up (rules 4.4)."""
    return -(-side.thickness * hp // (3 * side.lines * max_hp))


def root_up(number: int) -> int:
    """Return the square root, rounded up."""
    root = isqrt(number)
    return root if root * root == number else root + 1


def _filled_cells(mask: Sequence[str]) -> tuple[Cell, ...]:
    return tuple(
        (x, y) for y, row in enumerate(mask) for x, sign in enumerate(row) if sign == FILLED
    )


def edge_of(cells: Sequence[Cell], direction: int) -> tuple[Cell, ...]:
    """Return the outermost cell of each line that goes in this direction (rules 4.2)."""
    dx, dy = STEPS[direction]
    outermost: dict[int, Cell] = {}
    for cell in sorted(cells, key=lambda cell: cell[0] * dx + cell[1] * dy):
        outermost[cell[1] if dx else cell[0]] = cell
    return tuple(outermost[line] for line in sorted(outermost))


def _make_side(cells: set[Cell], edge: Sequence[Cell], direction: int) -> Side:
    dx, dy = STEPS[direction]
    thickness = 0
    for cell in edge:
        x, y = cell
        while (x, y) in cells:
            thickness, x, y = thickness + 1, x - dx, y - dy
    return Side(thickness, len(edge))
