"""Knockouts: single and double elimination, as brackets whose places fill from results."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from runners.formats.pairing import Format, Pairing, Seeding, SharesByPairing

NAMES_FROM_THE_END = {1: "final", 2: "semi-final", 4: "quarter-final"}
"""Names of rounds by the number of their pairings."""

LOST, OPEN, WON = range(3)
"""How the last pairing of an entrant stands, the better the higher."""


class Source(msgspec.Struct, frozen=True):
    """The origin of an entrant: the winner or the loser of an earlier place."""

    place: tuple[int, int]
    is_winner: bool


Side = int | Source | None
"""An entrant, somebody who is found by playing, or nobody: a bye."""
Sides = tuple[Side, Side]


def is_late(label: str) -> bool:
    """Return whether a round is a final of some kind."""
    return label.endswith("final")


class BracketSlot(msgspec.Struct, frozen=True):
    """A pairing of the bracket, before it is known who plays it."""

    round: int
    number: int
    label: str
    sides: Sides
    after_upset_of: tuple[int, int] | None = None
    """Played only if the lower side won there."""

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.number

    @property
    def winner(self) -> Source:
        return Source(self.place, is_winner=True)

    @property
    def loser(self) -> Source:
        return Source(self.place, is_winner=False)


class Bracket(Format):
    """What both knockouts share. Who entered first is seeded first."""

    takes_newcomers = False
    opens_early = True
    takes_tables = False

    def __init__(
        self, entrants: Sequence[Seeding], *, table: int = 2, rounds: int | None = None
    ) -> None:
        super().__init__(entrants, table=table, rounds=rounds)
        self.places: list[BracketSlot] = []
        """The places in the order in which they are played."""
        if len(entrants) > 1:
            self._build(_first_round([entrant.number for entrant in entrants]))

    @abstractmethod
    def _build(self, first_round: list[Sides]) -> None:
        """Fill `places`."""

    def pairings(self, points: SharesByPairing) -> Iterator[Pairing]:
        filled = _Filled(self.places, points)
        for slot in self.places:
            entrants = filled.entrants(slot)
            if entrants is not None and filled.is_called_for(slot):
                yield Pairing(slot.round, slot.number, entrants, slot.label, is_decisive=True)

    def fill(self, points: SharesByPairing) -> Iterator[tuple[BracketSlot, Sides]]:
        """Yield the whole bracket, with whoever is known by now: byes and open places, too.

        Left out is a second final that nobody needs, or that nobody needs yet.
        """
        filled = _Filled(self.places, points)
        for slot in self.places:
            if filled.is_called_for(slot):
                yield slot, filled.sides(slot)

    def ranking(self, points: SharesByPairing) -> list[int]:
        """Return the entrants: the later one was still in it, the better; then by registration.

        Whose pairing is being played stands before those who have lost one of the same round.
        """
        last = {entrant.number: (0, LOST) for entrant in self.entrants}
        for pairing in self.pairings(points):
            last |= dict.fromkeys(pairing.entrants, (pairing.round, OPEN))
            if pairing.place in points:
                winner, loser = winner_first(pairing.entrants, points[pairing.place])
                last |= {winner: (pairing.round, WON), loser: (pairing.round, LOST)}
        return sorted(last, key=lambda entrant: (*(-part for part in last[entrant]), entrant))

    def _add_round(self, name: str, sides: Iterable[Sides]) -> list[BracketSlot]:
        number = self.places[-1].round + 1 if self.places else 1
        places = [BracketSlot(number, slot, name, pair) for slot, pair in enumerate(sides, 1)]
        self.places += places
        return places


class SingleElimination(Bracket):
    """Single elimination: one loss eliminates an entrant."""

    name = "single_elimination"

    def _build(self, first_round: list[Sides]) -> None:
        sides, number = first_round, 1
        while sides:
            name = NAMES_FROM_THE_END.get(len(sides), f"round {number}")
            places = self._add_round(name, sides)
            sides, number = _pair_up([slot.winner for slot in places]), number + 1


class DoubleElimination(Bracket):
    """Double elimination: who loses twice is out, and the best of the losers is in the final.

    The final is played once more if the one who had not lost before loses it.
    """

    name = "double_elimination"

    def _build(self, first_round: list[Sides]) -> None:
        places = self._add_round("winners' round 1", first_round)
        number, losers_rounds = 1, 0
        survivors: list[Source] = [slot.loser for slot in places]
        while True:
            if len(survivors) > 1:
                losers_rounds += 1
                survivors = self._losers_round(losers_rounds, _pair_up(survivors))
            if len(places) == 1:
                break
            number += 1
            name = NAMES_FROM_THE_END.get(len(places) // 2, f"round {number}")
            places = self._add_round(f"winners' {name}", _pair_up([p.winner for p in places]))
            losers_rounds += 1
            # In the opposite order, so that those who met are far apart.
            dropping = [slot.loser for slot in reversed(places)]
            pairs: list[Sides] = list(zip(survivors, dropping, strict=True))
            survivors = self._losers_round(losers_rounds, pairs)
        (final,) = self._add_round("final", [(places[0].winner, survivors[0])])
        (slot,) = self._add_round("second final", [(final.winner, final.loser)])
        self.places[-1] = msgspec.structs.replace(slot, after_upset_of=final.place)

    def _losers_round(self, number: int, sides: list[Sides]) -> list[Source]:
        return [slot.winner for slot in self._add_round(f"losers' round {number}", sides)]


class _Filled:
    """A bracket with the results that are there."""

    def __init__(self, places: Sequence[BracketSlot], points: SharesByPairing) -> None:
        self._places = {slot.place: slot for slot in places}
        self._points = points
        self._sources: dict[Source, Side] = {}

    def entrants(self, slot: BracketSlot) -> tuple[int, int] | None:
        """Return who plays it; None while that is not known, and where somebody has a bye."""
        upper, lower = self.sides(slot)
        if isinstance(upper, int) and isinstance(lower, int):
            return upper, lower
        return None

    def sides(self, slot: BracketSlot) -> Sides:
        """Return whoever is known of its sides by now."""
        upper, lower = (self._resolve_side(side) for side in slot.sides)
        return upper, lower

    def is_called_for(self, slot: BracketSlot) -> bool:
        """Return False for a second final that nobody needs (or that nobody needs yet)."""
        if slot.after_upset_of is None:
            return True
        before = self._places[slot.after_upset_of]
        return self._resolve_side(before.winner) == self._resolve_side(before.sides[1])

    def _resolve_side(self, side: Side) -> Side:
        """Return an entrant, None for nobody, or the source itself while it is open."""
        if not isinstance(side, Source):
            return side
        if side not in self._sources:
            self._sources[side] = self._trace_source(side)
        return self._sources[side]

    def _trace_source(self, side: Source) -> Side:
        slot = self._places[side.place]
        upper, lower = (self._resolve_side(above) for above in slot.sides)
        if isinstance(upper, Source) or isinstance(lower, Source):
            return side
        if upper is None or lower is None:
            there = lower if upper is None else upper
            return there if side.is_winner else None
        shares = self._points.get(slot.place)
        if shares is None:
            return side
        winner, loser = winner_first((upper, lower), shares)
        return winner if side.is_winner else loser


def winner_first(entrants: tuple[int, ...], shares: tuple[float, ...]) -> tuple[int, int]:
    """Return the winner and the loser; if they are tied, the one seeded first has won."""
    one, other = sorted(zip(entrants, shares, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return one[0], other[0]


def _first_round(seeds: list[int]) -> list[Sides]:
    """Pair the best with the last, so that the best two can only meet in the final.

    Where there are too few, the best have byes.
    """
    order = [0]
    while len(order) < len(seeds):
        order = [slot for best in order for slot in (best, 2 * len(order) - 1 - best)]
    sides = [seeds[slot] if slot < len(seeds) else None for slot in order]
    return list(zip(sides[::2], sides[1::2], strict=True))


def _pair_up(sources: list[Source]) -> list[Sides]:
    """Pair neighbors; one alone has nobody left to meet."""
    if len(sources) == 1:
        return []
    return list(zip(sources[::2], sources[1::2], strict=True))
