"""Two boards of Smack!, and `apply`: the only code that changes them."""

from collections.abc import Callable
from typing import Any

import msgspec

from engine.game import MatchEnded, Stage
from engine.games.smack.events import HalfBegan, HalfEnded, Moved
from engine.games.smack.notation import position_text, read_position
from engine.games.smack.position import START, Move, Position, Side
from engine.games.smack.settings import Settings

TEAMS = (1, 2)


class Half(msgspec.Struct, dict=True):
    """One board. `position` is made from its text, which is what is written down."""

    number: int
    text: str = position_text(START)
    ply: int = 0
    quiet: int = 0
    """Plies since the last capture."""
    points: tuple[int, int] = (0, 0)
    """Of each team."""
    seen: dict[str, int] = {}
    """How often each position came up since the last capture; none can come back from before."""
    wants_end: bool = False
    """Whether the last move did."""
    last: tuple[int, int] | None = None
    """Source and target of the last move."""
    captured: tuple[int, ...] = ()
    """What the last move removed."""
    ending: str = ""
    """Why it is over."""

    def __post_init__(self) -> None:
        self.position: Position = read_position(self.text)

    @property
    def nerds_team(self) -> int:
        """Rules 7.2."""
        return self.number

    def team_of(self, side: Side) -> int:
        return self.number if side is Side.NERDS else 3 - self.number

    @property
    def team_to_move(self) -> int:
        return self.team_of(self.position.side)


class Boards(msgspec.Struct, dict=True):
    """Both halves of a match; `turn` is the round."""

    settings: Settings
    turn: int = 0
    halves: tuple[Half, Half] = msgspec.field(default_factory=lambda: (Half(1), Half(2)))
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        """Make it so."""
        _APPLY[type(event)](self, event)

    @property
    def open_halves(self) -> list[Half]:
        return [half for half in self.halves if not half.ending]

    @property
    def scores(self) -> tuple[float, ...]:
        """Points of each team over both boards (rules 7.2)."""
        first, second = self.halves
        return tuple(float(a + b) for a, b in zip(first.points, second.points, strict=True))


def _stage(boards: Boards, event: Stage) -> None:
    boards.turn = event.turn


def _begin(boards: Boards, event: HalfBegan) -> None:
    half = boards.halves[event.half - 1]
    half.text = event.position
    half.position = read_position(event.position)
    half.seen = {event.position: 1}


def _move(boards: Boards, event: Moved) -> None:
    half = boards.halves[event.half - 1]
    half.position = half.position.after(Move(event.source, event.target))
    half.text = position_text(half.position)
    half.ply += 1
    half.last, half.captured = (event.source, event.target), event.captured
    half.wants_end = event.ends
    if event.captured:
        half.quiet, half.seen = 0, {}
        first, second = half.points
        is_first = event.team == 1
        half.points = (first + event.points * is_first, second + event.points * (not is_first))
    else:
        half.quiet += 1
    half.seen[half.text] = half.seen.get(half.text, 0) + 1


def _end_half(boards: Boards, event: HalfEnded) -> None:
    half = boards.halves[event.half - 1]
    half.ending, half.points = event.reason, event.points


def _end(boards: Boards, event: MatchEnded) -> None:
    boards.ending = event


_APPLY: dict[type, Callable[[Boards, Any], None]] = {
    Stage: _stage,
    HalfBegan: _begin,
    Moved: _move,
    HalfEnded: _end_half,
    MatchEnded: _end,
}
