"""The board in plain text: for terminals, tests and bug reports."""

from collections import Counter

from engine.games.slime_mind.pieces import Piece, Plant, Slime
from engine.games.slime_mind.state import Board

LEGEND = (
    "A5: slime of team 1, level 5   B5: of team 2   a5, b5: ready to merge   "
    "p5: plant, level 5   ##: rock"
)


def draw(state: Board) -> str:
    """Return the map with two characters a square, row 0 on top (at the bottom with y_up)."""
    columns, rows = state.settings.columns, state.settings.rows
    lines = [
        f"{y:>3} " + " ".join(_square_text(state.at.get((x, y))) for x in range(columns))
        for y in range(rows)
    ]
    if state.settings.y_up:
        lines.reverse()
    header = "    " + " ".join(f"{x:<2}" for x in range(columns))
    return "\n".join([f"turn {state.turn}", header.rstrip(), *lines, LEGEND])


def describe(state: Board, team: int) -> str:
    """Return what a team has, such as `7 slimes: 5 of level 1, 2 of level 4`."""
    levels = Counter(slime.level for slime in state.slimes.values() if slime.team == team)
    if not levels:
        return "no slimes"
    parts = ", ".join(f"{count} of level {level}" for level, count in sorted(levels.items()))
    total = levels.total()
    return f"{total} slime{'s' if total > 1 else ''}: {parts}"


def _square_text(piece: Piece | None) -> str:
    match piece:
        case None:
            return " ."
        case Plant():
            return f"p{_level_digit(piece.level)}"
        case Slime():
            letter = "AB"[piece.team - 1]
            return (letter.lower() if piece.ready_to_merge else letter) + _level_digit(piece.level)
        case _:
            return "##"


def _level_digit(level: int) -> str:
    """Return a level as one character: 1 to 9, X, Y, Z for 10, 11, 12, and + above."""
    return str(level) if level < 10 else "XYZ"[level - 10] if level < 13 else "+"
