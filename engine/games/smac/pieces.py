"""The parts of SMAC's state besides its layers of cells."""

from copy import copy
from enum import StrEnum
from typing import final

import msgspec

from engine.games.smac.settings import Characteristics


class Special(StrEnum):
    """The specials, in the order in which they are carried out (rules 8.3, 8.4)."""

    SHELL = "SHELL"
    BLIGHT = "BLIGHT"
    ENRICH = "ENRICH"
    BLOOM = "BLOOM"
    SPORE = "SPORE"
    NUKE = "NUKE"


@final
class Skip(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An order that was not carried out, and why."""

    order: str
    """The line, such as `place 7 6`."""
    reason: str
    """Why it was not carried out."""


class Skips(msgspec.Struct, frozen=True, gc=False):
    """A team's orders that were skipped in `turn`; `more` are not listed."""

    turn: int
    skips: tuple[Skip, ...]
    more: int


class Selection(msgspec.Struct, frozen=True, gc=False):
    """The special a team has selected, if any, and the turn in which it did (rules 8.1)."""

    special: Special | None = None
    turn: int = 0

    def is_armed(self, turn: int) -> bool:
        """Return whether it can be used: from the turn after its selection on (rules 8.1)."""
        return self.special is not None and turn > self.turn


class Fight(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The report of a combat. `heights` and `left` have a raw height per team, team 1 first."""

    turn: int
    """The turn in which it was fought."""
    cell: int
    """The number of the cell: `y * side + x`."""
    owner: int
    """The owner before the combat; 0 for nobody."""
    heights: tuple[int, ...]
    """The raw heights before it, team 1 first."""
    rounds: int
    """The rounds that it took."""
    winner: int
    """The team whose stack is left."""
    left: int
    """The raw height that the winner has left."""


class Team(msgspec.Struct):
    """The state of a team. The first four fields are None in another team's copy (rules 7.1).

    Effects are kept as the turn they began in: a counter that ticks would be an event per turn.
    """

    points: Characteristics | None = None
    """The points it has put into each characteristic."""
    bank: int | None = None
    """Thousandths of a point (rules 5.4)."""
    selection: Selection | None = None
    skips: Skips | None = None
    """The last skipped orders; None also if none were skipped so far."""
    levels: Characteristics = Characteristics()
    used: list[Special] = []
    """The specials it has used, in order."""
    centers: list[int] = msgspec.field(name="centres", default_factory=list)
    """The cells of its centers, in order."""
    production: int = 0
    """Production of the last turn, thousandths, before any BLIGHT."""
    shelled_in: int | None = None
    """The turn in which it used a SHELL; None, here and below: never yet."""
    blighted_in: int | None = None
    """The last turn in which its income was halved."""
    out_in: int | None = None
    """The turn at whose end it had no stack left."""

    def copy(self) -> "Team":
        """Return a copy."""
        copied = copy(self)
        copied.used, copied.centers = [*self.used], [*self.centers]
        return copied
