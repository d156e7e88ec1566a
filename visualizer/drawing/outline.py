"""The squares of a block as few rectangles, and the lines around them. Cached: blocks are alike."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

Cell = tuple[int, int]
HEADINGS = "ESWN"
STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The step of each heading: x, y."""
LIT, NEXT_ROW = "#", "/"
MAX_CACHED_OUTLINES = 20_000


class Box(NamedTuple):
    """A rectangle, from the upper left corner of the block's bounding box, in squares."""

    left: int
    top: int
    right: int
    bottom: int


class Edge(NamedTuple):
    """A straight piece of the outline, and the side of its squares it lies on."""

    heading: int
    """The index of the side among the HEADINGS."""
    at: int
    """x of an upright edge, y of a level one."""
    start: int
    stop: int
    goes_on: tuple[bool, bool]
    """Whether squares continue beyond its start and stop: the outline turns inwards there."""

    @property
    def square(self) -> Cell:
        """Return the square in the middle."""
        along, over = (self.start + self.stop - 1) // 2, self.at - (self.heading < 2)
        return (over, along) if self.heading % 2 == 0 else (along, over)

    def strip(self, lines: tuple[list[float], list[float]], width: float) -> tuple[float, ...]:
        """Return the strip along the inside of an edge: left, top, right, bottom.

        `lines` are the places of the lines between squares, across and down.
        """
        across, down = lines
        is_upright = self.heading % 2 == 0
        along, over = (down, across) if is_upright else (across, down)
        first = along[self.start] - (width if self.goes_on[0] else 0)
        last = along[self.stop] + (width if self.goes_on[1] else 0)
        outer = over[self.at]
        inner = outer - width if self.heading < 2 else outer + width
        near, far = min(inner, outer), max(inner, outer)
        return (near, first, far, last) if is_upright else (first, near, last, far)


class Outline(NamedTuple):
    """The rectangles and lines of a block."""

    cells: tuple[Cell, ...]
    boxes: tuple[Box, ...]
    """Rectangles that cover each square once."""
    edges: tuple[Edge, ...]
    front: tuple[Edge, ...]
    """The edges of the outermost squares on the side the block faces."""


@lru_cache(MAX_CACHED_OUTLINES)
def make_outline(cells: str, front: str) -> Outline:
    """Return the outline of squares as rows (`##/#.`), facing E, S, W, N, or nowhere ('')."""
    lit = parse_cells(cells)
    edges = tuple(edge for heading in range(4) for edge in _open_edges(lit, heading))
    front_edges = tuple(_outermost_edges(lit, HEADINGS.index(front))) if front else ()
    return Outline(lit, tuple(_joined_boxes(lit)), edges, front_edges)


@lru_cache(MAX_CACHED_OUTLINES)
def parse_cells(cells: str) -> tuple[Cell, ...]:
    """Return x, y of each square, row by row."""
    rows = enumerate(cells.split(NEXT_ROW))
    return tuple((x, y) for y, row in rows for x, sign in enumerate(row) if sign == LIT)


def _joined_boxes(cells: tuple[Cell, ...]) -> Iterator[Box]:
    """Yield rectangles: runs of squares, joined with equal runs below."""
    growing: dict[tuple[int, int], Box] = {}
    for y, left, right in _row_runs(cells):
        above = growing.pop((left, right), None)
        if above is not None and above.bottom != y:
            yield above
            above = None
        top = y if above is None else above.top
        growing[left, right] = Box(left, top, right, y + 1)
    yield from growing.values()


def _row_runs(cells: Iterable[Cell]) -> Iterator[tuple[int, int, int]]:
    """Return the runs of squares in a row: row, first and last line."""
    runs: list[tuple[int, int, int]] = []
    for x, y in cells:
        if runs and runs[-1][0] == y and runs[-1][2] == x:
            runs[-1] = (y, runs[-1][1], x + 1)
        else:
            runs.append((y, x, x + 1))
    return iter(runs)


def _open_edges(cells: tuple[Cell, ...], heading: int) -> Iterator[Edge]:
    """Yield the edges with no square beyond them on one side."""
    dx, dy = STEPS[heading]
    lit = set(cells)
    outer = {(x, y) for x, y in cells if (x + dx, y + dy) not in lit}
    return _join_edges(outer, lit, heading)


def _outermost_edges(cells: tuple[Cell, ...], heading: int) -> Iterator[Edge]:
    """Yield the edges of the outermost square of each row or column."""
    dx, dy = STEPS[heading]
    outermost: dict[int, Cell] = {}
    for cell in sorted(cells, key=lambda cell: cell[0] * dx + cell[1] * dy):
        outermost[cell[1] if dx else cell[0]] = cell
    return _join_edges(set(outermost.values()), set(), heading)


def _join_edges(outer: set[Cell], lit: set[Cell], heading: int) -> Iterator[Edge]:
    """Yield edges, those of neighboring squares as one."""
    is_upright, beyond = heading % 2 == 0, heading < 2
    along = sorted((x, y) if is_upright else (y, x) for x, y in outer)
    for over, start, stop in _row_runs((at, over) for over, at in along):
        ends = (
            ((over, start - 1), (over, stop)) if is_upright else ((start - 1, over), (stop, over))
        )
        yield Edge(heading, over + beyond, start, stop, (ends[0] in lit, ends[1] in lit))
