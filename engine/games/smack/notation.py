"""Moves and positions as text, and why a move is illegal."""

import re
from functools import lru_cache

from engine.games.smack.position import Move, Position, Side
from engine.games.smack.squares import (
    DEAD_SPACE,
    SIDE,
    SQUARE_OF,
    SQUARES,
    WIDTH,
    column_of,
    row_of,
    square_name,
    squares_in,
)

MOVE_PATTERN = re.compile(r"([A-Z]\d{1,2})-([A-Z]\d{1,2})(?:x([A-Z0-9,]+))?")
NERD, BULLY, DEAD = "n", "B", "#"
SIDE_LETTERS = {Side.NERDS: NERD, Side.BULLIES: BULLY}
ROW_BITS = (1 << WIDTH) - 1
ROWS = tuple(tuple(square for square in SQUARES if row_of(square) == y) for y in range(SIDE))


class BadNotation(ValueError):
    """A text that is not a valid move or position; the message says where."""


def move_text(position: Position, move: Move) -> str:
    """Return a legal move with what it captures, such as `F1-G2xE7,F7`."""
    captured = [square_name(square) for square in squares_in(position.captured_by(move))]
    return f"{move}x{','.join(captured)}" if captured else str(move)


def parse_move(position: Position, text: str) -> Move:
    """Return the move of a text such as `F1-G2`, if it is legal.

    The captured squares may follow (`G10-G13xH14`, rules 5.6); then they must be right.
    Raises: BadNotation, saying what is wrong with it.
    """
    parts = MOVE_PATTERN.fullmatch(text)
    if parts is None:
        raise BadNotation(f"{text!r:.40} is not a move; expected one such as F1-G2")
    for name in parts.groups()[:2]:
        if name not in SQUARE_OF:
            raise BadNotation(f"{text:.40}: there is no square {name}")
    move = Move(SQUARE_OF[parts[1]], SQUARE_OF[parts[2]])
    problem = why_illegal(position, move)
    if problem is not None:
        raise BadNotation(f"{move}: {problem}")
    if parts[3] is not None and set(parts[3].split(",")) != _captured_names(position, move):
        raise BadNotation(f"{text:.40}: wrong captures; expected {move_text(position, move)}")
    return move


def why_illegal(position: Position, move: Move) -> str | None:
    """Return why a move is illegal for the side to move; None if it is legal."""
    source, target = square_name(move.source), square_name(move.target)
    own, others = position.nerds, position.bullies
    if position.side is Side.BULLIES:
        own, others = others, own
    if others >> move.source & 1:
        return f"the piece on {source} is not one of the {position.side}"
    if not own >> move.source & 1:
        return f"there is no piece on {source}"
    if move.target == DEAD_SPACE:
        return f"{target} is the dead space"
    if own >> move.target & 1:
        return f"one of the {position.side} stands on {target}"
    displacement = _find_displacement(move)
    if displacement is None:
        return f"{target} is not in a straight line from {source}"
    blocker = _first_blocker(position, move.source, *displacement)
    if blocker is not None:
        return f"{square_name(blocker)} is in the way"
    return _why_too_far(position, move, *displacement)


def position_text(position: Position) -> str:
    """Return a position as text, in the manner of FEN: rows from the top, then who moves.

    `n` is a nerd, `B` a bully, `#` the dead space, a number that many empty squares.
    """
    nerds, bullies, rows = position.nerds, position.bullies, []
    for y in range(SIDE):
        rows.append(_row_text(y, nerds & ROW_BITS, bullies & ROW_BITS))
        nerds, bullies = nerds >> WIDTH, bullies >> WIDTH
    return f"{'/'.join(rows)} {SIDE_LETTERS[position.side]}"


def parse_position(text: str) -> Position:
    """Return the position of a text that `position_text` made.

    Raises: BadNotation, naming the row.
    """
    rows_text, _, side = text.partition(" ")
    sides = {letter: which for which, letter in SIDE_LETTERS.items()}
    if side not in sides:
        raise BadNotation(f"{text!r:.80}: must end in ' n' or ' B', the side to move")
    rows = rows_text.split("/")
    if len(rows) != SIDE:
        raise BadNotation(f"{text!r:.80}: has {len(rows)} rows, not {SIDE}")
    nerds = bullies = 0
    for row, squares in zip(rows, ROWS, strict=True):
        for letter, square in zip(_row_letters(row, squares), squares, strict=True):
            nerds |= (letter == NERD) << square
            bullies |= (letter == BULLY) << square
    return Position(nerds, bullies, sides[side])


def _captured_names(position: Position, move: Move) -> set[str]:
    return {square_name(square) for square in squares_in(position.captured_by(move))}


def _find_displacement(move: Move) -> tuple[int, int] | None:
    """Return direction and distance of a move; None if it is not straight."""
    dx = column_of(move.target) - column_of(move.source)
    dy = row_of(move.target) - row_of(move.source)
    distance = max(abs(dx), abs(dy))
    if not distance or {abs(dx), abs(dy)} - {0, distance}:
        return None
    return dy // distance * WIDTH + dx // distance, distance


def _first_blocker(position: Position, source: int, step: int, distance: int) -> int | None:
    """Return the first square on the way that is not empty; None if all are."""
    between = (source + step * k for k in range(1, distance))
    return next((square for square in between if not position.empty >> square & 1), None)


def _line_length(pieces: int, square: int, step: int) -> int:
    """Return the length of the unbroken line behind a piece, itself included (rules 3.2)."""
    length = 0
    while square >= 0 and pieces >> square & 1:
        length, square = length + 1, square - step
    return length


def _why_too_far(position: Position, move: Move, step: int, distance: int) -> str | None:
    source = square_name(move.source)
    if position.side is Side.NERDS:
        line = _line_length(position.nerds, move.source, step)
        if position.bullies >> move.target & 1 and distance > line:
            return f"the line behind {source} is {line} long, the bully is {distance} away"
        return None
    if position.nerds >> move.target & 1:
        return f"a nerd stands on {square_name(move.target)}; bullies take those beside them"
    if distance == 1:
        return None
    line = _line_length(position.bullies, move.source, step)
    if distance > line:
        return (
            f"the line behind {source} is {line} long, {square_name(move.target)} {distance} away"
        )
    if not position.captured_by(move):
        return f"no nerd is beside {square_name(move.target)}, so it is one step only"
    return None


@lru_cache(maxsize=65_536)  # a position has a text after each move, and few rows of it are new
def _row_text(y: int, nerds: int, bullies: int) -> str:
    """Return a row as text; the pieces are sets of columns."""
    letters = "".join(_square_letter(square, nerds, bullies) for square in ROWS[y])
    return re.sub(r"\.+", lambda run: str(len(run[0])), letters)


def _square_letter(square: int, nerds: int, bullies: int) -> str:
    if square == DEAD_SPACE:
        return DEAD
    column = column_of(square)
    if nerds >> column & 1:
        return NERD
    return BULLY if bullies >> column & 1 else "."


def _row_letters(row: str, squares: tuple[int, ...]) -> str:
    letters = re.sub(r"\d{1,2}", lambda number: "." * int(number[0]), row)
    rank = SIDE - row_of(squares[0])
    strange = set(letters) - {NERD, BULLY, DEAD, "."}
    if strange:
        raise BadNotation(f"rank {rank}, '{row:.40}': '{min(strange)}' is neither n, B nor #")
    if len(letters) != len(squares):
        raise BadNotation(f"rank {rank}, '{row:.40}': {len(letters)} squares, not {len(squares)}")
    for letter, square in zip(letters, squares, strict=True):
        if (letter == DEAD) != (square == DEAD_SPACE):
            raise BadNotation(f"rank {rank}, '{row:.40}': the dead space # is on H8 alone")
    return letters
