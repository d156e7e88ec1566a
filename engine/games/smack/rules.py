"""The rounds of Smack! (docs/rules/smack.md)."""

from collections.abc import Iterator, Sequence

from engine.bots.fault import Fault
from engine.game import Event, MatchEnded, Stage
from engine.games.smack.events import HalfBegan, HalfEnded, Moved
from engine.games.smack.notation import position_text, read_move
from engine.games.smack.orders import Order
from engine.games.smack.position import START, Move, Side
from engine.games.smack.settings import MOST_POINTS, Settings
from engine.games.smack.squares import squares_in
from engine.games.smack.state import Boards, Half
from engine.streams import Streams

Events = Iterator[Event]

AGREEMENT = "agreement"
NO_PIECES = "a side has no pieces left"
NO_MOVES = "no legal move"
NO_CAPTURES = "no capture for too long"
REPETITION = "repetition"
PLY_LIMIT = "ply limit"
BOTH_OVER = "both halves are over"


def begin_match(boards: Boards, streams: Streams) -> Events:
    """Set up both boards, play the drawn opening on both, and begin the first round."""
    for half in boards.halves:
        yield HalfBegan(half.number, position_text(START))
    yield from draw_opening(boards, streams)
    yield Stage(1, "round")


def draw_opening(boards: Boards, streams: Streams) -> Events:
    """The same plies on both boards, none of them a capture (rules 7.6)."""
    first, second = boards.halves
    for _ in range(boards.settings.opening_plies):
        position = first.position
        quiet = [move for move in position.moves() if not position.captured_by(move)]
        if not quiet:
            return
        move = streams["opening"].choice(quiet)
        yield moved(first, move, ends=False)
        yield moved(second, move, ends=False)


def play_round(boards: Boards, orders: Sequence[Order | Fault]) -> Events:
    """One ply on each unfinished board (rules 7.4)."""
    for half, order in zip(boards.open_halves, orders, strict=True):
        yield from play_ply(half, order, boards.settings)
    if boards.open_halves:
        yield Stage(boards.turn + 1, "round")
    else:
        yield MatchEnded(boards.scores, BOTH_OVER)


def play_ply(half: Half, order: Order | Fault, settings: Settings) -> Events:
    """A move and what it ends, or the forfeit of the half (rules 7.5)."""
    if isinstance(order, Fault):
        offender = half.team_to_move
        points = (0, MOST_POINTS) if offender == 1 else (MOST_POINTS, 0)
        yield HalfEnded(half.number, f"forfeit: {order.cause}", points)
        return
    had_offer = half.wants_end
    yield moved(half, read_move(half.position, order.move), ends=order.end)
    reason = AGREEMENT if had_offer and order.end else why_over(half, settings)
    if reason is not None:
        yield HalfEnded(half.number, reason, half.points)


def moved(half: Half, move: Move, *, ends: bool) -> Moved:
    """The event of a legal move."""
    position = half.position
    captured = position.captured_by(move)
    return Moved(
        half=half.number,
        team=half.team_to_move,
        source=move.source,
        target=move.target,
        captured=tuple(squares_in(captured)),
        points=position.points_of(captured),
        ends=ends,
    )


def why_over(half: Half, settings: Settings) -> str | None:
    """Rules 6.2 to 6.6; None while it goes on."""
    position = half.position
    if not (position.nerds and position.bullies):
        return NO_PIECES
    if not position.count_moves():
        return NO_MOVES
    if half.quiet >= settings.no_capture_limit:
        return NO_CAPTURES
    if half.seen[half.text] >= settings.repetition_limit:
        return REPETITION
    if half.ply >= settings.ply_limit:
        return PLY_LIMIT
    return None


def side_of(half: Half, team: int) -> Side:
    """What a team plays there."""
    return Side.NERDS if half.nerds_team == team else Side.BULLIES
