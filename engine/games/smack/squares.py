"""Squares of the board: their names, and sets of them as the bits of an integer.

Square (x, y), column x from the left and row y from the top, is bit y * 16 + x: rows are a
column wider than the board, so that what leaves it on one side does not come in on the other.
"""

from collections.abc import Iterable, Iterator

FILES = "ABCDEFGHJKLMNOP"
"""The letter I is skipped (rules 1.4)."""
SIDE = len(FILES)
WIDTH = SIDE + 1
DIRECTIONS = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
"""The eight of a chess king, as differences of squares (rules 3.2)."""
FARTHEST = SIDE - 1


def is_on_board(x: int, y: int) -> bool:
    """Rules 1.3: a square without its corners."""
    return 0 <= x < SIDE and 0 <= y < SIDE and 5 <= x + y <= 23 and -9 <= x - y <= 9


def square_at(x: int, y: int) -> int:
    return y * WIDTH + x


def column_of(square: int) -> int:
    """x, from the left."""
    return square % WIDTH


def row_of(square: int) -> int:
    """y, from the top."""
    return square // WIDTH


def name_of(square: int) -> str:
    """`H8`: the file's letter, and the rank from below (rules 1.4)."""
    return f"{FILES[column_of(square)]}{SIDE - row_of(square)}"


DEAD_SPACE = square_at(7, 7)
"""H8: nothing stands there, moves onto it or across it (rules 1.6)."""
SQUARES = tuple(square_at(x, y) for y in range(SIDE) for x in range(SIDE) if is_on_board(x, y))
"""All 165, row by row from the top, the dead space among them."""
SQUARE_OF = {name_of(square): square for square in SQUARES}


def set_of(squares: Iterable[int]) -> int:
    bits = 0
    for square in squares:
        bits |= 1 << square
    return bits


def squares_in(bits: int) -> Iterator[int]:
    """In ascending order: row by row from the top."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def shifted(bits: int, step: int) -> int:
    """Every square moved by `step`; what leaves the board must be masked away."""
    return bits << step if step > 0 else bits >> -step


PLAYABLE = set_of(square for square in SQUARES if square != DEAD_SPACE)
"""The 164 squares that can hold a piece."""


def spread(bits: int) -> int:
    """All squares beside these, on the board or not."""
    around = 0
    for step in DIRECTIONS:
        around |= shifted(bits, step)
    return around


BESIDE = {square: spread(1 << square) & PLAYABLE for square in SQUARES}
"""The up to eight squares around each."""
