"""Moves and positions as text, and why a move is none."""

import re

from engine.games.smack.position import Move, Position, Side
from engine.games.smack.squares import (
    DEAD_SPACE,
    SIDE,
    SQUARE_OF,
    SQUARES,
    WIDTH,
    column_of,
    name_of,
    row_of,
    squares_in,
)

MOVE = re.compile(r"([A-Z]\d{1,2})-([A-Z]\d{1,2})(?:x([A-Z0-9,]+))?")
NERD, BULLY, DEAD = "n", "B", "#"
SIDE_LETTERS = {Side.NERDS: NERD, Side.BULLIES: BULLY}
ROWS = tuple(tuple(square for square in SQUARES if row_of(square) == y) for y in range(SIDE))


class BadNotation(ValueError):
    """A text that is no move or position; the message says where."""


def move_text(position: Position, move: Move) -> str:
    """`F1-G2xE7,F7`: a legal move with what it removes."""
    captured = [name_of(square) for square in squares_in(position.captured_by(move))]
    return f"{move}x{','.join(captured)}" if captured else str(move)


def read_move(position: Position, text: str) -> Move:
    """A legal move; what it captures may stand behind it, and must be right then.

    Raises: BadNotation, saying what is wrong with it.
    """
    parts = MOVE.fullmatch(text)
    if parts is None:
        raise BadNotation(f"{text!r:.40} is no move; one looks like F1-G2")
    for name in parts.groups()[:2]:
        if name not in SQUARE_OF:
            raise BadNotation(f"{text:.40}: there is no square {name}")
    move = Move(SQUARE_OF[parts[1]], SQUARE_OF[parts[2]])
    problem = why_illegal(position, move)
    if problem is not None:
        raise BadNotation(f"{move}: {problem}")
    if parts[3] is not None and set(parts[3].split(",")) != _captured_names(position, move):
        raise BadNotation(f"{text:.40}: that is not what it captures; {move_text(position, move)}")
    return move


def why_illegal(position: Position, move: Move) -> str | None:
    """Why the side to move cannot move so; None if it can."""
    source, target = name_of(move.source), name_of(move.target)
    own, others = position.nerds, position.bullies
    if position.side is Side.BULLIES:
        own, others = others, own
    if others >> move.source & 1:
        return f"the piece on {source} is none of the {position.side}"
    if not own >> move.source & 1:
        return f"there is no piece on {source}"
    if move.target == DEAD_SPACE:
        return f"{target} is the dead space"
    if own >> move.target & 1:
        return f"one of the {position.side} stands on {target}"
    way = _way(move)
    if way is None:
        return f"{target} is not in a straight line from {source}"
    blocker = _blocker(position, move.source, *way)
    if blocker is not None:
        return f"{name_of(blocker)} is in the way"
    return _why_out_of_reach(position, move, *way)


def position_text(position: Position) -> str:
    """Rows from the top, `/` between them, only squares of the board; then who moves.

    `n` nerd, `B` bully, `#` the dead space, a number for so many empty squares.
    """
    rows = "/".join(_row_text(position, row) for row in ROWS)
    return f"{rows} {SIDE_LETTERS[position.side]}"


def read_position(text: str) -> Position:
    """Raises: BadNotation, naming the row."""
    rows_text, _, side = text.partition(" ")
    sides = {letter: which for which, letter in SIDE_LETTERS.items()}
    if side not in sides:
        raise BadNotation(f"{text!r:.80}: must end in ' n' or ' B', for who moves")
    rows = rows_text.split("/")
    if len(rows) != SIDE:
        raise BadNotation(f"{text!r:.80}: has {len(rows)} rows, not {SIDE}")
    nerds = bullies = 0
    for row, squares in zip(rows, ROWS, strict=True):
        for letter, square in zip(_letters(row, squares), squares, strict=True):
            nerds |= (letter == NERD) << square
            bullies |= (letter == BULLY) << square
    return Position(nerds, bullies, sides[side])


def _captured_names(position: Position, move: Move) -> set[str]:
    return {name_of(square) for square in squares_in(position.captured_by(move))}


def _way(move: Move) -> tuple[int, int] | None:
    """Direction and distance of a straight move."""
    dx = column_of(move.target) - column_of(move.source)
    dy = row_of(move.target) - row_of(move.source)
    distance = max(abs(dx), abs(dy))
    if not distance or {abs(dx), abs(dy)} - {0, distance}:
        return None
    return dy // distance * WIDTH + dx // distance, distance


def _blocker(position: Position, source: int, step: int, distance: int) -> int | None:
    """The first square between that is not empty."""
    between = (source + step * k for k in range(1, distance))
    return next((square for square in between if not position.empty >> square & 1), None)


def _line(pieces: int, square: int, step: int) -> int:
    """How long the unbroken line behind and with a piece is (rules 3.2)."""
    length = 0
    while square >= 0 and pieces >> square & 1:
        length, square = length + 1, square - step
    return length


def _why_out_of_reach(position: Position, move: Move, step: int, distance: int) -> str | None:
    source = name_of(move.source)
    if position.side is Side.NERDS:
        line = _line(position.nerds, move.source, step)
        if position.bullies >> move.target & 1 and distance > line:
            return f"the line behind {source} is {line} long, the bully is {distance} away"
        return None
    if position.nerds >> move.target & 1:
        return f"a nerd stands on {name_of(move.target)}; bullies take those beside them"
    if distance == 1:
        return None
    line = _line(position.bullies, move.source, step)
    if distance > line:
        return f"the line behind {source} is {line} long, {name_of(move.target)} {distance} away"
    if not position.captured_by(move):
        return f"no nerd is beside {name_of(move.target)}, so it is one step only"
    return None


def _row_text(position: Position, row: tuple[int, ...]) -> str:
    letters = "".join(_letter(position, square) for square in row)
    return re.sub(r"\.+", lambda run: str(len(run[0])), letters)


def _letter(position: Position, square: int) -> str:
    if square == DEAD_SPACE:
        return DEAD
    if position.nerds >> square & 1:
        return NERD
    return BULLY if position.bullies >> square & 1 else "."


def _letters(row: str, squares: tuple[int, ...]) -> str:
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
