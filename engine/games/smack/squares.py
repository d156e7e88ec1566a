"""Squares of the board: their names, and sets of them as bitboards.

Square (x, y), column x from the left and row y from the top, is bit y * 16 + x of an integer.
Rows are one column wider than the board, so that a shifted piece that leaves the board on one
side does not come back on the other.
"""

from collections.abc import Iterable, Iterator
from functools import cache

FILES = "ABCDEFGHJKLMNOP"
"""The letter I is skipped (rules 1.4)."""
SIDE = len(FILES)
WIDTH = SIDE + 1
DIRECTIONS = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
"""The eight directions of a chess king, as differences of square numbers (rules 3.2)."""
MAX_DISTANCE = SIDE - 1


def is_on_board(x: int, y: int) -> bool:
    """Return whether there is such a square: the board lacks its corners (rules 1.3)."""
    return 0 <= x < SIDE and 0 <= y < SIDE and 5 <= x + y <= 23 and -9 <= x - y <= 9


def square_at(x: int, y: int) -> int:
    """Return the number of a square."""
    return y * WIDTH + x


def column_of(square: int) -> int:
    """Return x, counted from the left."""
    return square % WIDTH


def row_of(square: int) -> int:
    """Return y, counted from the top."""
    return square // WIDTH


@cache
def square_name(square: int) -> str:
    """Return a name such as `H8`: the file's letter, and the rank from below (rules 1.4)."""
    return f"{FILES[column_of(square)]}{SIDE - row_of(square)}"


DEAD_SPACE = square_at(7, 7)
"""H8: nothing stands there, moves onto it or across it (rules 1.6)."""
SQUARES = tuple(square_at(x, y) for y in range(SIDE) for x in range(SIDE) if is_on_board(x, y))
"""All 165 squares, row by row from the top, with the dead space (rules 1.2)."""
SQUARE_OF = {square_name(square): square for square in SQUARES}


def make_bitboard(squares: Iterable[int]) -> int:
    """Return the bitboard of these squares."""
    bits = 0
    for square in squares:
        bits |= 1 << square
    return bits


def squares_in(bits: int) -> Iterator[int]:
    """Yield the squares of a bitboard in ascending order: row by row from the top.

    The order counts: bots that draw a move by number must draw the same one in every match.
    """
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def shifted(bits: int, step: int) -> int:
    """Return every square moved by `step`; the caller masks away what left the board."""
    return bits << step if step > 0 else bits >> -step


PLAYABLE = make_bitboard(square for square in SQUARES if square != DEAD_SPACE)
"""The 164 squares that can hold a piece (rules 1.2)."""


def spread(bits: int) -> int:
    """Return all squares beside these, on the board or not (the caller masks)."""
    sides = bits << 1 | bits >> 1
    rows = bits | sides
    return sides | rows << WIDTH | rows >> WIDTH


BESIDE = {square: spread(1 << square) & PLAYABLE for square in SQUARES}
"""The up to eight neighbors of each square, as a bitboard."""
