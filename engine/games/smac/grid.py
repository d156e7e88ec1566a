"""Sets of cells as bitboards, so that the neighbors of all cells are counted at once.

A board of n cells is an integer of n bits, cell 0 the highest: written in base 2 it reads as the
board does. The eight (Moore) neighbors of all cells are added with a bitwise full adder, in some
thirty operations however many stacks there are.
"""

from collections.abc import Iterable
from functools import lru_cache

Slices = tuple[int, int, int, int]
"""A count from 0 to 8 in each cell, bit-sliced: its four binary digits, the highest first."""
Cell = tuple[int, int]
"""x, y."""

AT_LEAST = tuple(b"0" * height + b"1" * (256 - height) for height in range(256))
"""Tables for `bytes.translate`: 1 where a layer has at least this value."""
EQUALS = tuple(b"0" * value + b"1" + b"0" * (255 - value) for value in range(256))
"""Tables for `bytes.translate`: 1 where a layer has exactly this value."""
HAS_FLAG = {
    flag: bytes(b"01"[bool(value & flag)] for value in range(256)) for flag in (1, 2, 4, 8, 16, 32)
}
"""Tables for `bytes.translate`: 1 where a layer has this flag."""


class Grid:
    """The geometry of a square board."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.size = side * side
        self.full = (1 << self.size) - 1
        row = (1 << side) - 1
        last_column = self.full // row
        # Masks that keep a shift by one cell from running over into the next row.
        self._not_last = self.full ^ last_column
        self._not_first = self.full ^ last_column << side - 1
        self.inner = self._not_last & self._not_first & ~row & ~(row << self.size - side)
        """The cells that have eight neighbors."""

    def xy(self, cell: int) -> Cell:
        y, x = divmod(cell, self.side)
        return x, y

    def cell(self, x: int, y: int) -> int:
        return y * self.side + x

    def is_on_board(self, x: int, y: int) -> bool:
        return 0 <= x < self.side and 0 <= y < self.side

    def block(self, cell: int, radius: int = 1) -> tuple[int, ...]:
        """Return the cells of the board within a Chebyshev distance, ascending."""
        x, y = self.xy(cell)
        columns = range(max(0, x - radius), min(self.side, x + radius + 1))
        rows = range(max(0, y - radius), min(self.side, y + radius + 1))
        return tuple([row * self.side + column for row in rows for column in columns])

    def distance(self, one: int, other: int) -> int:
        """Return the Chebyshev distance: steps of a chess king (rules 2.1)."""
        (x, y), (other_x, other_y) = self.xy(one), self.xy(other)
        return max(abs(x - other_x), abs(y - other_y))

    def mask(self, cells: Iterable[int]) -> int:
        """Return the set of these cells."""
        # Through text, because setting bits one by one copies the whole integer each time.
        digits = bytearray(b"0" * self.size)
        for cell in cells:
            digits[cell] = 49  # "1"
        return int(digits, 2)

    def text(self, mask: int) -> str:
        """Return a set as text, a 0 or 1 per cell."""
        return f"{mask:0{self.size}b}"

    def cells(self, mask: int) -> tuple[int, ...]:
        """Return the cells of a set, ascending (rules 7.2: in the order of the board)."""
        if not mask:
            return ()
        text, found = self.text(mask), []
        cell = text.find("1")
        while cell >= 0:
            found.append(cell)
            cell = text.find("1", cell + 1)
        return tuple(found)

    def spread(self, mask: int) -> int:
        """Return the set with all its neighbors (dilation)."""
        row = mask | (mask & self._not_last) >> 1 | (mask & self._not_first) << 1
        return row | row >> self.side | row << self.side & self.full

    def neighbors(self, mask: int) -> Slices:
        """Return how many neighbors of each cell are in the set."""
        side, full = self.side, self.full
        left, right = (mask & self._not_last) >> 1, (mask & self._not_first) << 1
        # Left and right neighbors: 0 to 2. With the cell itself: 0 to 3, for the rows around it.
        beside_1, beside_2 = left ^ right, left & right
        row_1, row_2 = beside_1 ^ mask, beside_2 | beside_1 & mask
        above_1, above_2 = row_1 >> side, row_2 >> side
        below_1, below_2 = row_1 << side & full, row_2 << side & full
        ones, carry = _add(above_1, below_1, 0)
        twos, fours = _add(above_2, below_2, carry)
        ones, carry = _add(ones, beside_1, 0)
        twos, carry = _add(twos, beside_2, carry)
        return fours & carry, fours ^ carry, twos, ones

    def at_least(self, counts: Slices, need: int) -> int:
        """Return the cells whose count is `need` or more."""
        # Digits are compared from the highest, as one compares numbers on paper.
        more, same = 0, self.full
        for digit, value in zip(counts, (8, 4, 2, 1), strict=True):
            if need & value:
                same &= digit
            else:
                more |= same & digit
                same &= ~digit
        return more | same


@lru_cache
def make_grid(side: int) -> Grid:
    """Return the grid of this size; boards share it, since it holds geometry only."""
    return Grid(side)


def make_mask(layer: bytes | bytearray, table: bytes) -> int:
    """Return the cells that `table` turns into 1: `AT_LEAST[2]`, `EQUAL[team]`, ..."""
    return int(layer.translate(table), 2)


def _add(a: int, b: int, carry: int) -> tuple[int, int]:
    """Return sum and carry of one binary digit, in all cells (a full adder)."""
    half = a ^ b
    return half ^ carry, a & b | half & carry
