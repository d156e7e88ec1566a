"""Both boards of Smack! as a page is told of them; the page knows no rule."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

import msgspec

from engine.game import Event, MatchEnded
from engine.games.smack import rules
from engine.games.smack.events import Declined, HalfEnded, Moved, Offered
from engine.games.smack.position import Position
from engine.games.smack.settings import Pace, Settings
from engine.games.smack.squares import SQUARE_OF, squares_in
from engine.games.smack.state import TEAMS, Boards, Half

NAMES = {square: name for name, square in SQUARE_OF.items()}
Moves = dict[str, dict[str, list[str]]]
"""The legal moves: from source to target to the captured squares, all as names."""


ENDINGS = {
    rules.AGREEMENT: "both sides agreed to end it",
    rules.NO_PIECES: "one side has no piece left",
    rules.NO_MOVES: "whoever was to move could not",
    rules.NO_CAPTURES: "nothing was captured for {no_capture_limit} moves",
    rules.REPETITION: "the same position came up {repetition_limit} times",
    rules.PLY_LIMIT: "{ply_limit} moves were made, which is the most",
}
"""Why a half ended, as people say it; a forfeit says itself."""


class ShownHalf(msgspec.Struct, frozen=True):
    """One board. Squares are names, such as `H8`; points are of team 1 and team 2."""

    number: int
    nerds: list[str]
    bullies: list[str]
    side: str
    team_to_move: int
    nerds_team: int
    ply: int
    quiet: int
    """Plies since the last capture."""
    points: tuple[int, int]
    last: tuple[str, str] | None
    """Source and target of the last move."""
    captured: list[str]
    """Where the last move removed pieces."""
    ending: str
    """Why it is over; '' while it is not."""
    ended: str
    """The same in words for people."""
    offered_by: list[int]
    """The teams whose offer to end the half stands."""
    moves: Moves
    """Empty unless one of the viewer's teams is to move."""
    history: list[str]
    """All moves so far, such as `G7-F6xE5`."""


class ShownBoards(msgspec.Struct, frozen=True):
    """Both boards, whether they wait for each other (rules 7.4, 7.7), and limits (6.4, 6.6)."""

    pace: Pace
    ply_limit: int
    no_capture_limit: int
    halves: list[ShownHalf]


def view(
    known: Boards, viewer: int | None, teams: Collection[int], observed: Sequence[Sequence[Event]]
) -> ShownBoards:
    """Return both boards as the player of these teams sees them."""
    history: tuple[list[str], list[str]] = ([], [])
    for events in observed:
        for event in events:
            if isinstance(event, Moved):
                history[event.half - 1].append(_move_notation(event))
    return board(known, teams, history)


def board(state: Boards, teams: Collection[int], history: Sequence[Sequence[str]]) -> ShownBoards:
    """Return both boards as the player of these teams sees them.

    `history` has the moves of each half so far, as `words` says them.
    """
    settings = state.settings
    halves = [
        _make_shown_half(half, settings, half.team_to_move in teams, list(moves))
        for half, moves in zip(state.halves, history, strict=True)
    ]
    return ShownBoards(settings.pace, settings.ply_limit, settings.no_capture_limit, halves)


def words(event: Event) -> str | None:
    """Return in words what happened, or None where a reader need not know.

    Of a move it is the notation, such as `F1-G2xH3`: those are what `board` takes as history.
    """
    match event:
        case Moved():
            return _move_notation(event)
        case Offered():
            return "offers to end the half"
        case Declined():
            return "does not take the offer to end the half"
        case HalfEnded():
            first, second = event.points
            return f"the half is over: {event.reason}, {first} : {second}"
        case MatchEnded():
            first_score, second_score = event.scores
            return f"the match is over: {first_score:g} : {second_score:g}"
    return None


def _make_shown_half(
    half: Half, settings: Settings, is_to_move: bool, history: list[str]
) -> ShownHalf:
    return ShownHalf(
        number=half.number,
        nerds=_square_names(squares_in(half.position.nerds)),
        bullies=_square_names(squares_in(half.position.bullies)),
        side=half.position.side,
        team_to_move=half.team_to_move,
        nerds_team=half.nerds_team,
        ply=half.ply,
        quiet=half.quiet,
        points=half.points,
        last=None if half.last is None else (NAMES[half.last[0]], NAMES[half.last[1]]),
        captured=_square_names(half.captured),
        ending=half.ending,
        ended=ENDINGS.get(half.ending, half.ending).format_map(msgspec.structs.asdict(settings)),
        offered_by=[] if half.ending else [team for team in TEAMS if half.is_offered_by(team)],
        moves=_legal_moves(half.position) if is_to_move and not half.ending else {},
        history=history,
    )


@lru_cache(500)  # a position is read several times before a move leads to another one
def _legal_moves(position: Position) -> Moves:
    moves: Moves = {}
    for move in position.moves():
        board = position.captured_by(move)
        captured = _square_names(squares_in(board)) if board else []
        moves.setdefault(NAMES[move.source], {})[NAMES[move.target]] = captured
    return moves


def _move_notation(event: Moved) -> str:
    move = f"{NAMES[event.source]}-{NAMES[event.target]}"
    return f"{move}x{','.join(_square_names(event.captured))}" if event.captured else move


def _square_names(squares: Iterable[int]) -> list[str]:
    return [NAMES[square] for square in squares]
