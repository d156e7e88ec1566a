"""What can happen in SMAC. Events carry results, so applying one needs no rules.

A cell is a number: `y * side + x`. Many cells go into one event, in ascending order, so that the
order in which the teams' orders were carried out stays hidden (rules 7.2).
"""

from engine.game import Event
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.settings import Characteristics

Cells = tuple[int, ...]
Heights = tuple[int, ...]
"""Raw heights, one for each of the cells beside them."""


class TerrainLaid(Event, tag="terrain", frozen=True):
    """New terrain of these cells: at the start (all others are plain), or by a special."""

    cells: Cells
    terrains: tuple[int, ...]


class Endowed(Event, tag="endowed", frozen=True):
    """Private. What a team has before the first bid: bank, and points in characteristics."""

    team: int
    bank: int
    points: Characteristics


class Bid(Event, tag="bid", frozen=True):
    """Private. A team's bid in a placement round, and its bank afterwards."""

    team: int
    points: int
    bank: int


class PlacementOrdered(Event, tag="order", frozen=True):
    """Hidden from all teams. The order in which they took their centers (rules 3.1, 3.4)."""

    teams: tuple[int, ...]


class Settled(Event, tag="settled", frozen=True):
    """A team got a center, and `cells` a stack of 1; no center if none was free (rules 3.1)."""

    team: int
    center: int | None
    cells: Cells


class Skipped(Event, tag="skipped", frozen=True):
    """Private. Orders of a team that were not carried out; `more` are not listed."""

    team: int
    skips: tuple[Skip, ...]
    more: int


class OrdersLost(Event, tag="lost", frozen=True):
    """Private. A team gave no orders this time; `reason` is the cause of the fault."""

    team: int
    reason: str


class Banked(Event, tag="bank", frozen=True):
    """Private. What a team has in its bank now, thousandths."""

    team: int
    bank: int


class Invested(Event, tag="invested", frozen=True):
    """Private. The points a team has in its characteristics now."""

    team: int
    points: Characteristics


class Rose(Event, tag="rose", frozen=True):
    """One or more of a team's levels rose; `levels` has all of them as they are now."""

    team: int
    levels: Characteristics


class Placed(Event, tag="placed", frozen=True):
    """All stacks a team raised or began by its orders, and which of the cells it owns by that."""

    team: int
    cells: Cells
    heights: Heights
    claimed: Cells


class Grown(Event, tag="grown", frozen=True):
    """Stacks of a team that grew, or began, without an order (rules 5.5, 8.3)."""

    team: int
    cells: Cells
    heights: Heights


class Selected(Event, tag="selected", frozen=True):
    """Private. A team has selected a special, for the turns to come."""

    team: int
    special: Special


class SpecialUsed(Event, tag="special", frozen=True):
    """A special was used on a square or a team; `cells` are those that it affects."""

    team: int
    special: Special
    square: int | None
    target: int | None
    cells: Cells


class Cleared(Event, tag="cleared", frozen=True):
    """All stacks of all teams on these cells are removed, and nobody owns them."""

    cells: Cells


class Fought(Event, tag="fought", frozen=True):
    """One stack is left in a cell, and its team owns it."""

    fight: Fight


class Claimed(Event, tag="claimed", frozen=True):
    """Cells a team owns from now on, where its stack was the only one (rules 2.4)."""

    team: int
    cells: Cells


class Died(Event, tag="died", frozen=True):
    """Stacks of a team that had too little support (rules 5.11)."""

    team: int
    cells: Cells


class Reduced(Event, tag="reduced", frozen=True):
    """Stacks of a team that were too high for their neighbors (rules 5.12)."""

    team: int
    cells: Cells
    heights: Heights


class Produced(Event, tag="produced", frozen=True):
    """Production per team this turn, thousandths, team 1 first, before any BLIGHT."""

    production: tuple[int, ...]


class WentOut(Event, tag="out", frozen=True):
    """A team has no stack left (rules 6.3)."""

    team: int


PRIVATE_EVENTS = (Endowed, Bid, Skipped, OrdersLost, Banked, Invested, Selected)
"""These are told to their team alone (rules 7.1)."""


def observed_event(event: Event, team: int | None) -> Event | None:
    """Return the event as this team may know it; None if it may not know of it."""
    if isinstance(event, PRIVATE_EVENTS):
        return event if event.team == team else None
    return None if type(event) is PlacementOrdered else event
