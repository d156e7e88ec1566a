"""The pairings of a tournament as boxes of a drawing, each with a slot for each entrant."""

from collections.abc import Iterator
from itertools import groupby

import msgspec

from runners.contests.ledger import Ledger
from runners.formats.bracket import Bracket, Sides, Source, winner_first
from runners.formats.bracket import BracketSlot as BracketPlace
from runners.formats.pairing import Pairing
from runners.formats.round_robin import RoundRobin
from runners.formats.scoring import Scoresheet


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """A side of a pairing that is drawn: an entrant, or where one will come from."""

    entrant: int | None = None
    points: float | None = None
    """The share of the pairing's points; None while it is open."""
    has_won: bool = False
    source: tuple[int, int] | None = None
    """The place it comes from, where that is in the drawing."""
    is_winner: bool = True
    """Whether the winner of the source comes here, or its loser."""


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing that is drawn. One without a second slot is a bye."""

    round: int
    pairing: int
    label: str
    slots: tuple[Slot, ...]
    group: str = ""
    """Within a round, those of one group stand together, below its name."""

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.pairing


def bracket_boxes(ledger: Ledger) -> Iterator[Box]:
    """Yield the places of a knockout; nothing for other formats."""
    if isinstance(ledger.format, Bracket):
        for place, sides in ledger.format.fill(ledger.points):
            yield Box(
                round=place.round,
                pairing=place.number,
                label=place.label,
                slots=tuple(_bracket_slots(place, sides, ledger.points.get(place.place))),
            )


def _bracket_slots(
    place: BracketPlace, sides: Sides, shares: tuple[float, ...] | None
) -> Iterator[Slot]:
    """Yield a slot for each side but those on which nobody ever comes."""
    entrants = tuple(side for side in sides if isinstance(side, int))
    for number, (origin, side) in enumerate(zip(place.sides, sides, strict=True)):
        if side is not None:
            has_won = shares is not None and winner_first(entrants, shares)[0] == side
            yield Slot(
                entrant=side if isinstance(side, int) else None,
                points=None if shares is None else shares[number],
                has_won=has_won,
                source=origin.place if isinstance(origin, Source) else None,
                is_winner=not isinstance(origin, Source) or origin.is_winner,
            )


def round_boxes(ledger: Ledger) -> Iterator[Box]:
    """Yield the pairings of formats without a bracket in which they follow from results."""
    if isinstance(ledger.format, Bracket | RoundRobin):
        return
    known: list[Pairing] = []
    for _, pairings in groupby(ledger.format.pairings(ledger.points), lambda p: p.round):
        # A group is what entrants had before the round, so its own pairings are added after it.
        sheet = Scoresheet(known, ledger.points) if ledger.format.ranks_by_strength else None
        for pairing in list(pairings):
            known.append(pairing)
            yield Box(
                round=pairing.round,
                pairing=pairing.number,
                label=pairing.label,
                slots=tuple(_make_slots(pairing, ledger.points.get(pairing.place))),
                group="" if sheet is None else _group_text(pairing, sheet),
            )


def _group_text(pairing: Pairing, sheet: Scoresheet) -> str:
    """Return the points that the best in it had before the round, in words."""
    points = max(sheet.total(entrant) for entrant in pairing.entrants)
    return f"{points:.4g} point{'' if points == 1 else 's'}"


def _make_slots(pairing: Pairing, shares: tuple[float, ...] | None) -> Iterator[Slot]:
    for seat, entrant in enumerate(pairing.entrants):
        yield Slot(
            entrant=entrant,
            points=None if shares is None else shares[seat],
            has_won=shares is not None and shares[seat] == max(shares) > min(shares),
        )
