"""Two boards of Smack!, and `apply`: the only code that changes them."""

from copy import copy

import msgspec

from engine.game import Event, MatchEnded, find_appliers
from engine.games.smack.events import Declined, HalfBegan, HalfEnded, Moved, Offered
from engine.games.smack.notation import parse_position, position_text
from engine.games.smack.position import START, Move, Position, Side
from engine.games.smack.settings import Settings

TEAMS = (1, 2)


class Half(msgspec.Struct, dict=True):
    """One board. Replays hold its `text`; `position` is made from it."""

    number: int
    text: str = position_text(START)
    ply: int = 0
    quiet: int = 0
    """Plies since the last capture."""
    points: tuple[int, int] = (0, 0)
    """Points of each team on this board, team 1 first."""
    seen: dict[str, int] = {}
    """How often each position came up since the last capture; earlier ones cannot come back."""
    wants_end: bool = False
    """Whether the last move offered to end the half."""
    last: tuple[int, int] | None = None
    """Source and target of the last move."""
    captured: tuple[int, ...] = ()
    """The squares on which the last move removed pieces."""
    ending: str = ""
    """Why it is over; '' while it is not."""
    offered: int = 0
    """The team that offers to end the half besides its moves (rules 7.8); 0 if none does."""

    def __post_init__(self) -> None:
        self.position: Position = parse_position(self.text)

    def copy(self) -> "Half":
        """Return a copy, which shares the position: that is never changed."""
        copied = copy(self)
        copied.seen, copied.position = {**self.seen}, self.position
        return copied

    @property
    def nerds_team(self) -> int:
        """The team that plays nerds: 1 on board 1, 2 on board 2 (rules 7.2)."""
        return self.number

    def find_team(self, side: Side) -> int:
        """Return the team that plays this side here."""
        return self.number if side is Side.NERDS else 3 - self.number

    @property
    def team_to_move(self) -> int:
        """The team whose decision this board waits for."""
        return self.find_team(self.position.side)

    def is_offered_by(self, team: int) -> bool:
        """Return whether a team's offer to end the half stands."""
        return self.offered == team or (self.wants_end and self.team_to_move != team)


class Boards(msgspec.Struct, dict=True):
    """Both halves of a match; `turn` is the round."""

    settings: Settings
    turn: int = 0
    halves: tuple[Half, Half] = msgspec.field(default_factory=lambda: (Half(1), Half(2)))
    ending: MatchEnded | None = None

    def copy(self) -> "Boards":
        """Return a copy."""
        first, second = self.halves
        return Boards(self.settings, self.turn, (first.copy(), second.copy()), self.ending)

    def apply(self, event: Event) -> None:
        """Apply an event. Raises: KeyError for an event of another game."""
        _APPLY[type(event)](self, event)

    @property
    def open_halves(self) -> list[Half]:
        """The halves that are not over, board 1 first."""
        return [half for half in self.halves if not half.ending]

    @property
    def scores(self) -> tuple[float, ...]:
        """Points of each team over both boards (rules 7.2)."""
        first, second = self.halves
        return tuple(float(a + b) for a, b in zip(first.points, second.points, strict=True))


def _apply_half_began(boards: Boards, event: HalfBegan) -> None:
    half = boards.halves[event.half - 1]
    half.text = event.position
    half.position = parse_position(event.position)
    half.seen = {event.position: 1}


def _apply_moved(boards: Boards, event: Moved) -> None:
    half = boards.halves[event.half - 1]
    half.position = half.position.after(Move(event.source, event.target))
    half.text = position_text(half.position)
    half.ply += 1
    half.last, half.captured = (event.source, event.target), event.captured
    half.wants_end = event.ends
    if half.offered != event.team:
        half.offered = 0  # who moves on does not accept
    if event.captured:
        # rules 6.4, 6.5: a capture is irreversible, so no position from before can come back.
        half.quiet, half.seen = 0, {}
        first, second = half.points
        is_first = event.team == 1
        half.points = (first + event.points * is_first, second + event.points * (not is_first))
    else:
        half.quiet += 1
    half.seen[half.text] = half.seen.get(half.text, 0) + 1


def _apply_offered(boards: Boards, event: Offered) -> None:
    boards.halves[event.half - 1].offered = event.team


def _apply_declined(boards: Boards, event: Declined) -> None:
    half = boards.halves[event.half - 1]
    half.offered, half.wants_end = 0, False


def _apply_half_ended(boards: Boards, event: HalfEnded) -> None:
    half = boards.halves[event.half - 1]
    half.ending, half.points = event.reason, event.points


_APPLY = find_appliers(globals())
