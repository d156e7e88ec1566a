"""The size and the places of a board's squares in a terminal."""

from collections.abc import Iterator
from math import ceil, floor
from typing import NamedTuple

from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.outline import make_outline
from visualizer.scene import Block, Extent, Thing, Tile

SLIMMEST, WIDEST = 0.7, 1.6
"""The least and greatest ratio of a square's sides; a letter is twice as high as wide."""
MAX_SQUARES = 2
"""The most squares across a sprite: a larger blob would hide what it stands on."""
LARGEST = 12
"""The most columns of a square."""


class TextRect(NamedTuple):
    """A rectangle of letters."""

    x: int
    y: int
    width: int
    height: int


class Scale(NamedTuple):
    """Columns and rows of a square. With less than two columns it is a dot, half a letter high."""

    columns: float
    rows: float

    @property
    def are_dots(self) -> bool:
        return self.columns < 2

    @property
    def area(self) -> float:
        return self.columns * self.rows

    def size(self, extent: Extent) -> tuple[int, int]:
        """Return columns and rows of a whole board."""
        if self.are_dots:
            return ceil(extent.width * self.columns - 0.01), ceil(extent.height * self.rows - 0.01)
        return round_half_up(extent.width * self.columns), round_half_up(extent.height * self.rows)

    def place(self, arrangement: Arrangement, thing: Thing) -> TextRect:
        """Return the place of a thing; a sprite has at least a square, and at most a few."""
        if isinstance(thing, Tile | Block):
            return self.locate(arrangement, thing.x, thing.y, thing.width, thing.height)
        side = min(max(1.0, thing.size), MAX_SQUARES)
        return self.locate(arrangement, thing.x - side / 2, thing.y - side / 2, side, side)

    def places(self, arrangement: Arrangement, block: Block) -> Iterator[TextRect]:
        """Return the places of a thing's squares."""
        for left, top, right, bottom in make_outline(block.cells, block.front).boxes:
            x, y = block.x + left, block.y + top
            yield self.locate(arrangement, x, y, right - left, bottom - top)

    def locate(
        self, arrangement: Arrangement, left: float, top: float, width: float, height: float
    ) -> TextRect:
        """Return the place of a rectangle of the board."""
        extent = arrangement.extent
        left, top = arrangement.to_view(left, top)
        x, y = self._column_at(extent, left), self._row_at(extent, top)
        right, bottom = self._column_at(extent, left + width), self._row_at(extent, top + height)
        return TextRect(x, y, max(1, right - x), max(1, bottom - y))

    def _column_at(self, extent: Extent, x: float) -> int:
        return round_half_up((x - extent.left) * self.columns)

    def _row_at(self, extent: Extent, y: float) -> int:
        return round_half_up((y - extent.top) * self.rows)


SCALES = sorted(
    (
        Scale(columns, rows)
        for columns in range(2, LARGEST + 1)
        for rows in range(1, LARGEST)
        if SLIMMEST <= columns / (2 * rows) <= WIDEST
    ),
    key=lambda scale: (scale.area, scale.columns),
    reverse=True,
)
"""The scales with room for letters, the largest first."""


def best_scale(extent: Extent, width: int, height: int) -> Scale:
    """Return the largest scale in which a board fits."""
    for scale in SCALES:
        columns, rows = scale.size(extent)
        if columns <= width and rows <= height:
            return scale
    # Where there are fewer dots than squares, a dot is several of them.
    share = min(1.0, width / extent.width, 2 * height / extent.height)
    return Scale(share, share / 2)


def round_half_up(value: float) -> int:
    """Return a number rounded halves up, unlike `round`, so that squares are evenly wide."""
    return floor(value + 0.5)
