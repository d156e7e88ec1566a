"""What happens in a match of numbers, written down as numbers, and read as the engine's events."""

from collections.abc import Iterator

from engine.fault import Cause
from engine.game import Event, MatchEnded, Stage
from engine.games.smack import events, rules
from engine.games.smack.notation import position_text
from engine.games.smack.position import START
from engine.games.smack.settings import Pace, Settings
from learning.simulation.log import Log, lines_of, log_for
from learning.smack.layout import SOURCE

HALF_BEGAN, STAGE, MOVED, PLIED, CAPTURED, HALF_ENDED, POINTS, MATCH_ENDED = range(8)
"""What a line says. Behind MOVED are PLIED and a line for each captured piece, behind HALF_ENDED
are POINTS."""
ENDINGS = (
    *("", rules.AGREEMENT, rules.NO_PIECES, rules.NO_MOVES, rules.NO_CAPTURES, rules.REPETITION),
    *(rules.PLY_LIMIT, f"forfeit: {Cause.ILLEGAL}"),
)
"""Why a half is over, by what a row has for it."""
LINES_OF_PLY = 12
"""A ply has at most so many: eight pieces are captured, and the half is over."""


def new_log(settings: Settings | None = None) -> Log:
    """Return a log with room for all that one order leads to; without settings for nothing."""
    if settings is None:
        return log_for(0)
    return log_for(2 * (settings.opening_plies + 1) * LINES_OF_PLY + 4)


def events_of(log: Log, settings: Settings) -> list[Event]:
    """Return what the log holds, and begin it anew."""
    return [*_events(iter(lines_of(log)), settings.pace)]


def _events(lines: Iterator[list[int]], pace: Pace) -> Iterator[Event]:
    for what, a, b, c in lines:
        if what == HALF_BEGAN:
            yield events.HalfBegan(a, position_text(START))
        elif what == STAGE:
            yield Stage(a, "round" if pace is Pace.LOCKSTEP else "ply")
        elif what == MOVED:
            yield _moved(a, b, bool(c), lines)
        elif what == HALF_ENDED:
            _, first, second, _ = next(lines)
            yield events.HalfEnded(a, ENDINGS[b], (first, second))
        else:
            yield MatchEnded((float(a), float(b)), rules.BOTH_OVER)


def _moved(half: int, team: int, ends: bool, lines: Iterator[list[int]]) -> events.Moved:
    """Return a move, of which the lines behind the first one say the rest."""
    _, ply, points, pieces = next(lines)
    captured = tuple(next(lines)[1] for _ in range(pieces))
    return events.Moved(half, team, *divmod(ply, SOURCE), captured, points, ends)
