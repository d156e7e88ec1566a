"""What can happen in Smack!."""

from engine.game import Event, MatchEnded, Stage


class HalfBegan(Event, tag="half", frozen=True, array_like=True, gc=False):
    """A board is set up; `position` is its text (notation.py)."""

    half: int
    position: str


class Moved(Event, tag="moved", frozen=True, array_like=True, gc=False):
    """A piece went from `source` to `target`, and what stood on `captured` is gone.

    `points` are what that brought its team; `ends` says that it wants to end the half.
    """

    half: int
    team: int
    source: int
    target: int
    captured: tuple[int, ...]
    points: int
    ends: bool


class HalfEnded(Event, tag="over", frozen=True, array_like=True, gc=False):
    """Nothing happens on this board any more. `points` of each team, as they stay."""

    half: int
    reason: str
    points: tuple[int, int]


SmackEvent = Stage | HalfBegan | Moved | HalfEnded | MatchEnded
