"""The rounds of Smack! (docs/rules/smack.md)."""

from collections.abc import Iterator, Sequence

from engine.fault import Cause, Fault
from engine.game import CLAIM_ACT, Act, Event, MatchEnded, Stage
from engine.games.smack.events import Declined, HalfBegan, HalfEnded, Moved, Offered
from engine.games.smack.notation import parse_move, position_text
from engine.games.smack.orders import Order
from engine.games.smack.position import START, Move, Side
from engine.games.smack.settings import MAX_POINTS, Pace, Settings
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

RESIGN, OFFER = "resign", "offer to end"
ACCEPT, DECLINE = "accept the end", "decline the end"
"""What people do besides moving, in either side's turn (rules 7.8)."""


def begin_match(boards: Boards, streams: Streams) -> Events:
    """Set up both boards, play the random opening on both, and begin the first round."""
    for half in boards.halves:
        yield HalfBegan(half.number, position_text(START))
    yield from draw_opening(boards, streams)
    yield next_stage(boards)


def draw_opening(boards: Boards, streams: Streams) -> Events:
    """Play the same random plies on both boards, none of them a capture (rules 7.6)."""
    first, second = boards.halves
    for _ in range(boards.settings.opening_plies):
        position = first.position
        quiet = [move for move in position.moves() if not position.captured_by(move)]
        if not quiet:
            return
        # The loop applied the last ply to both boards before this one is drawn.
        move = streams["opening"].choice(quiet)
        yield make_move_event(first, move, ends=False)
        yield make_move_event(second, move, ends=False)


def play_round(boards: Boards, orders: Sequence[Order | Fault]) -> Events:
    """Play one ply on each unfinished board (rules 7.4)."""
    # `open_halves` is a list made before the first ply: a half that ends in this round does not
    # shift the orders of the other.
    for half, order in zip(boards.open_halves, orders, strict=True):
        yield from play_ply(half, order, boards.settings)
    yield go_on(boards)


def play_half(boards: Boards, half: Half, order: Order | Fault) -> Events:
    """Play one ply, whatever the other board does (rules 7.7)."""
    yield from play_ply(half, order, boards.settings)
    yield go_on(boards)


def go_on(boards: Boards) -> Event:
    """Return the event that begins the next turn, or ends the match."""
    return next_stage(boards) if boards.open_halves else MatchEnded(boards.scores, BOTH_OVER)


def next_stage(boards: Boards) -> Stage:
    return Stage(boards.turn + 1, "round" if boards.settings.pace is Pace.LOCKSTEP else "ply")


def possible_acts(boards: Boards, team: int) -> list[Act]:
    """Return what a team may do besides moving (rules 7.8).

    Rules see no clock: whoever keeps it lets a team claim a half only when that is overdue.
    """
    acts: list[Act] = []
    for half in boards.open_halves:
        names = [RESIGN]
        if half.is_offered_by(3 - team):
            names += [ACCEPT, DECLINE]
        elif not half.is_offered_by(team):
            names.append(OFFER)
        if half.team_to_move != team:
            names.append(CLAIM_ACT)
        acts += [Act(team, half.number, name) for name in names]
    return acts


def play_act(boards: Boards, act: Act) -> Events:
    """Play one of `possible_acts`."""
    half = boards.halves[act.piece_id - 1]
    if act.name in (OFFER, DECLINE):
        happens = Offered if act.name == OFFER else Declined
        yield happens(half.number, act.team)
        return
    yield _make_half_end(half, act)
    if not boards.open_halves:
        yield MatchEnded(boards.scores, BOTH_OVER)


def _make_half_end(half: Half, act: Act) -> HalfEnded:
    if act.name == RESIGN:
        return forfeit_half(half, act.team, Cause.RESIGNED)
    if act.name == CLAIM_ACT:
        return forfeit_half(half, 3 - act.team, Cause.LATE)
    return HalfEnded(half.number, AGREEMENT, half.points)


def forfeit_half(half: Half, offender: int, cause: Cause) -> HalfEnded:
    """Return the end of a half in which the opponent gets all points (rules 7.5)."""
    # Points won before are gone: the opponent has all of the half.
    points = (0, MAX_POINTS) if offender == 1 else (MAX_POINTS, 0)
    return HalfEnded(half.number, f"forfeit: {cause}", points)


def play_ply(half: Half, order: Order | Fault, settings: Settings) -> Events:
    """Play a move and end the half if it is over, or forfeit it (rules 7.5)."""
    if isinstance(order, Fault):
        yield forfeit_half(half, half.team_to_move, order.cause)
        return
    # Read now: the move below withdraws the opponent's offer.
    had_offer = half.is_offered_by(3 - half.team_to_move)
    yield make_move_event(half, parse_move(half.position, order.move), ends=order.end)
    reason = AGREEMENT if had_offer and order.end else reason_to_end(half, settings)
    if reason is not None:
        yield HalfEnded(half.number, reason, half.points)


def make_move_event(half: Half, move: Move, *, ends: bool) -> Moved:
    """Return the event of a legal move."""
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


def reason_to_end(half: Half, settings: Settings) -> str | None:
    """Return why a half is over, None while it goes on (rules 6.2 to 6.6).

    The order of the tests decides which reason a replay shows when two of them hold.
    """
    position = half.position
    if not (position.nerds and position.bullies):
        return NO_PIECES
    if not position.has_moves():
        return NO_MOVES
    if half.quiet >= settings.no_capture_limit:
        return NO_CAPTURES
    if half.seen[half.text] >= settings.repetition_limit:
        return REPETITION
    if half.ply >= settings.ply_limit:
        return PLY_LIMIT
    return None


def team_side(half: Half, team: int) -> Side:
    """Return the side that a team plays on this board."""
    return Side.NERDS if half.nerds_team == team else Side.BULLIES
