"""What can happen in Smack!."""

from engine.game import Event


class HalfBegan(Event, tag="half", frozen=True):
    """A board is set up; `position` is its text (notation.py)."""

    half: int
    position: str


class Moved(Event, tag="moved", frozen=True):
    """A piece moved from `source` to `target`, and the pieces on `captured` are removed.

    `points` are what its team gained; `ends` says that it offers to end the half (rules 6.1).
    """

    half: int
    team: int
    source: int
    target: int
    captured: tuple[int, ...]
    points: int
    ends: bool


class HalfEnded(Event, tag="over", frozen=True):
    """A half is over, with the final points of both teams on this board."""

    half: int
    reason: str
    points: tuple[int, int]


class Offered(Event, tag="offered", frozen=True):
    """A team offers to end a half, besides its moves (rules 7.8)."""

    half: int
    team: int


class Declined(Event, tag="declined", frozen=True):
    """A team does not take the offer to end a half (rules 7.8)."""

    half: int
    team: int
