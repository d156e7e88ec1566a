"""What the state of SMAC is made of besides its layers of cells."""

from enum import StrEnum
from typing import final

import msgspec

from engine.games.smac.settings import Characteristics


class Special(StrEnum):
    """In the order in which they are carried out (rules 8.3)."""

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
    reason: str


class Skips(msgspec.Struct, frozen=True, gc=False):
    """What was skipped of a team's orders in `turn`; `more` are not listed."""

    turn: int
    skips: tuple[Skip, ...]
    more: int


class Selection(msgspec.Struct, frozen=True, gc=False):
    """The special a team has selected, if any, and the turn in which it did (rules 8.1)."""

    special: Special | None = None
    turn: int = 0

    def is_armed(self, turn: int) -> bool:
        return self.special is not None and turn > self.turn


class Fight(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The report of a combat. `heights` and `left` have a raw height per team, team 1 first."""

    turn: int
    cell: int
    owner: int
    """Before it; 0 for nobody."""
    heights: tuple[int, ...]
    rounds: int
    winner: int
    left: int
    """What the winner has left."""


class Team(msgspec.Struct):
    """What belongs to a team. The first four fields are None in another team's copy (rules 7.1)."""

    points: Characteristics | None = None
    """What it put into each characteristic."""
    bank: int | None = None
    """Thousandths of a point."""
    selection: Selection | None = None
    skips: Skips | None = None
    """The last that there were; None, too, if all its orders stood so far."""
    levels: Characteristics = Characteristics()
    used: list[Special] = []
    """The specials it has used, first one first."""
    centres: list[int] = []
    """Cells."""
    production: int = 0
    """Of the last turn, thousandths; what a BLIGHT takes away is not taken off."""
    shelled_in: int | None = None
    """The turn in which its stacks wore a SHELL; so with the others, None: never yet."""
    blighted_in: int | None = None
    """The last turn in which its income was halved."""
    out_in: int | None = None
    """The turn at whose end it had no stack left."""
