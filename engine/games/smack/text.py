"""Both boards in plain text."""

from itertools import zip_longest

from engine.games.smack.notation import BULLY, DEAD, NERD
from engine.games.smack.position import Position
from engine.games.smack.squares import DEAD_SPACE, FILES, SIDE, is_on_board, square_at
from engine.games.smack.state import Boards, Half

LEGEND = "n: nerd   B: bully   #: dead space   *: where the last move came from"
GAP = "      "


def draw(state: Boards) -> str:
    """Return both boards side by side, row 15 on top."""
    left, right = (_half_text(half) for half in state.halves)
    rows = [f"{a:<22}{GAP}{b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
    return "\n".join([f"round {state.turn}", *rows, LEGEND])


def describe(state: Boards, team: int) -> str:
    """Return what a team has left over both boards, such as `12 nerds and 5 bullies`."""
    nerds = bullies = 0
    for half in state.halves:
        if half.nerds_team == team:
            nerds = half.position.nerds.bit_count()
        else:
            bullies = half.position.bullies.bit_count()
    return f"{_count(nerds, 'nerd', 'nerds')} and {_count(bullies, 'bully', 'bullies')}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _half_text(half: Half) -> list[str]:
    lines = [f"board {half.number}: team {half.nerds_team} plays nerds"]
    for y in range(SIDE):
        row = "".join(_square_text(half, x, y) for x in range(SIDE))
        lines.append(f"{SIDE - y:>2} {row.rstrip()}")
    lines.append(f"   {FILES}")
    first, second = half.points
    lines.append(f"points {first} : {second}")
    lines.append(half.ending or f"{half.position.side} to move")
    return lines


def _square_text(half: Half, x: int, y: int) -> str:
    square = square_at(x, y)
    if not is_on_board(x, y):
        return " "
    if square == DEAD_SPACE:
        return DEAD
    if half.last is not None and half.last[0] == square and _is_empty(half.position, square):
        return "*"
    if half.position.nerds >> square & 1:
        return NERD
    return BULLY if half.position.bullies >> square & 1 else "."


def _is_empty(position: Position, square: int) -> bool:
    return bool(position.empty >> square & 1)
