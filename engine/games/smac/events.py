"""What can happen in SMAC. Events carry results, so applying one needs no rules.

A cell is a number: `y * side + x`. Many cells go into one event, in ascending order, so that
the order in which the teams' orders were carried out shows in nothing but its consequences.
"""

from engine.game import Event, MatchEnded, Stage
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.settings import Characteristics

Cells = tuple[int, ...]
Heights = tuple[int, ...]
"""Raw heights, one for each of the cells beside them."""


class TerrainLaid(Event, tag="terrain", frozen=True, array_like=True, gc=False):
    """The terrain of these cells is this now: at the start of the others too, or by a special."""

    cells: Cells
    terrains: tuple[int, ...]


class Endowed(Event, tag="endowed", frozen=True, array_like=True, gc=False):
    """Private. What a team has before the first bid: a bank, and points in characteristics."""

    team: int
    bank: int
    points: Characteristics


class Bid(Event, tag="bid", frozen=True, array_like=True, gc=False):
    """Private. What a team paid to be early in a placement round, and what it has left."""

    team: int
    points: int
    bank: int


class PlacementOrdered(Event, tag="order", frozen=True, array_like=True, gc=False):
    """Nobody's to know. The order in which the teams took their centres (rules 3.1, 3.4)."""

    teams: tuple[int, ...]


class Settled(Event, tag="settled", frozen=True, array_like=True, gc=False):
    """A team has a centre; `cells` get a stack of 1. Where nothing was free, it has none."""

    team: int
    centre: int | None
    cells: Cells


class Skipped(Event, tag="skipped", frozen=True, array_like=True, gc=False):
    """Private. Orders of a team that were not carried out; `more` are not listed."""

    team: int
    skips: tuple[Skip, ...]
    more: int


class OrdersLost(Event, tag="lost", frozen=True, array_like=True, gc=False):
    """Private. A team gave no orders this time; `reason` is the cause of the fault."""

    team: int
    reason: str


class Banked(Event, tag="bank", frozen=True, array_like=True, gc=False):
    """Private. What a team has in its bank now, thousandths."""

    team: int
    bank: int


class Invested(Event, tag="invested", frozen=True, array_like=True, gc=False):
    """Private. The points a team has in its characteristics now."""

    team: int
    points: Characteristics


class Rose(Event, tag="rose", frozen=True, array_like=True, gc=False):
    """At least one of a team's levels rose; all of them as they are now."""

    team: int
    levels: Characteristics


class Placed(Event, tag="placed", frozen=True, array_like=True, gc=False):
    """All stacks a team raised or began by its orders, and which of the cells it owns by that."""

    team: int
    cells: Cells
    heights: Heights
    claimed: Cells


class Grown(Event, tag="grown", frozen=True, array_like=True, gc=False):
    """Stacks of a team that grew, or began, without an order (rules 5.5, 8.3)."""

    team: int
    cells: Cells
    heights: Heights


class Selected(Event, tag="selected", frozen=True, array_like=True, gc=False):
    """Private. A team has selected a special, for the turns to come."""

    team: int
    special: Special


class SpecialUsed(Event, tag="special", frozen=True, array_like=True, gc=False):
    """At a square or against a team; `cells` are those on which it shows."""

    team: int
    special: Special
    square: int | None
    target: int | None
    cells: Cells


class Cleared(Event, tag="cleared", frozen=True, array_like=True, gc=False):
    """All stacks of all teams on these cells are gone, and nobody owns them."""

    cells: Cells


class Fought(Event, tag="fought", frozen=True, array_like=True, gc=False):
    """One stack is left in a cell, and its team owns it."""

    fight: Fight


class Claimed(Event, tag="claimed", frozen=True, array_like=True, gc=False):
    """Cells a team owns from now on, where its stack was the only one (rules 2.4)."""

    team: int
    cells: Cells


class Died(Event, tag="died", frozen=True, array_like=True, gc=False):
    """Stacks of a team that had too little support (rules 5.11)."""

    team: int
    cells: Cells


class Reduced(Event, tag="reduced", frozen=True, array_like=True, gc=False):
    """Stacks of a team that were too high for their neighbours (rules 5.12)."""

    team: int
    cells: Cells
    heights: Heights


class Produced(Event, tag="produced", frozen=True, array_like=True, gc=False):
    """Production per team this turn, thousandths, team 1 first; nothing is taken off."""

    production: tuple[int, ...]


class WentOut(Event, tag="out", frozen=True, array_like=True, gc=False):
    """A team has no stack left (rules 6.3)."""

    team: int


SmacEvent = (
    Stage
    | TerrainLaid
    | Endowed
    | Bid
    | PlacementOrdered
    | Settled
    | Skipped
    | OrdersLost
    | Banked
    | Invested
    | Rose
    | Placed
    | Grown
    | Selected
    | SpecialUsed
    | Cleared
    | Fought
    | Claimed
    | Died
    | Reduced
    | Produced
    | WentOut
    | MatchEnded
)

PRIVATE = (Endowed, Bid, Skipped, OrdersLost, Banked, Invested, Selected)
"""Only their team is told (rules 7.1)."""


def seen_by(event: Event, team: int) -> Event | None:
    """The event as this team may know it; None if it may not."""
    if isinstance(event, PRIVATE):
        return event if event.team == team else None
    return None if type(event) is PlacementOrdered else event
