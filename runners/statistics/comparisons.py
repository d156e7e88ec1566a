"""Who met whom, and what is supposed of everybody: what strengths are fitted to."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.scores import Outcome, PairwiseResults

Floats = NDArray[np.float64]


class Comparisons(msgspec.Struct, frozen=True):
    """Who met whom, as indices of entrants; no pairing twice."""

    size: int
    """How many entrants there are."""
    first: NDArray[np.intp]
    second: NDArray[np.intp]


class Prior(msgspec.Struct, frozen=True):
    """Pseudo-results that hold before any match: against an opponent of strength 0.

    They may be fractions of a match, but are above 0. Shape: (fits, entrants).
    """

    won: Floats
    lost: Floats


class Block(msgspec.Struct, frozen=True):
    """Entrants who met equally many others."""

    entrants: slice
    sides: slice
    """First one side of each of these entrants, then another one of each, and so on."""
    met: int
    """How many others each of them met."""


class Sides(msgspec.Struct, frozen=True, kw_only=True):
    """Each pairing from both sides, of entrants in the order of how many others they met.

    Thus the sums of all entrants of a block are a few sums of long rows.
    """

    order: NDArray[np.intp]
    """The entrants in this order: what stands at their places everywhere below."""
    pairing: NDArray[np.intp]
    """The pairing of each side."""
    own: NDArray[np.intp]
    """The place of the entrant whose side it is."""
    other: NDArray[np.intp]
    is_second: NDArray[np.bool]
    """Whether that entrant is the second of the pairing."""
    blocks: tuple[Block, ...]

    @classmethod
    def from_pairings(cls, pairings: Comparisons) -> Self:
        """Sort both sides of all pairings."""
        own = np.concatenate([pairings.first, pairings.second])
        other = np.concatenate([pairings.second, pairings.first])
        met = np.bincount(own, minlength=pairings.size)
        order = np.argsort(met, kind="stable")
        places = np.argsort(order, kind="stable")
        sides = np.lexsort((places[own], _occurrence_numbers(own), met[own]))
        return cls(
            order=order,
            pairing=sides % len(pairings.first),
            own=places[own][sides],
            other=places[other][sides],
            is_second=sides >= len(pairings.first),
            blocks=tuple(_blocks_by_count(met[order])),
        )

    def sum_by_entrant(self, values: Floats) -> Floats:
        """Return the sum of each entrant's sides: (sides, fits) -> (entrants, fits).

        They are added in the same order whatever the machine does besides, which OpenBLAS does not
        promise of a product of matrices.
        """
        sums = np.zeros((len(self.order), values.shape[1]))
        for block in self.blocks:
            rows = values[block.sides].reshape(block.met, -1)
            np.add.reduce(rows, axis=0, out=sums[block.entrants].reshape(-1))
        return sums


def _occurrence_numbers(own: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return of each side how many sides the same entrant has before it."""
    by_entrant = np.argsort(own, kind="stable")
    is_new = np.diff(own[by_entrant], prepend=-1) != 0
    starts = np.maximum.accumulate(np.where(is_new, np.arange(len(own)), 0))
    numbers = np.empty_like(own)
    numbers[by_entrant] = np.arange(len(own)) - starts
    return numbers


def _blocks_by_count(met: NDArray[np.intp]) -> Iterator[Block]:
    """Yield the blocks of entrants who met so many others each; these numbers ascend."""
    entrant = side = 0
    for others, count in zip(*np.unique(met, return_counts=True), strict=True):
        entrants = slice(entrant, entrant + int(count))
        sides = slice(side, side + int(others * count))
        if others:
            yield Block(entrants, sides, int(others))
        entrant, side = entrants.stop, sides.stop


class PairwiseTable(msgspec.Struct, frozen=True, kw_only=True):
    """Pairwise results as arrays, in an order that does not depend on the order of play.

    Comparisons are the columns of all that is fitted. An outcome of a set has one entry for each
    pairing it tells about (between two teams that is one). Entries are sorted by pairing.
    """

    entrants: tuple[int, ...]
    """The entrants, by their place in the arrays."""
    first: NDArray[np.intp]
    """The place of one entrant of each pairing."""
    second: NDArray[np.intp]
    """The place of the other entrant of each pairing."""
    counts: NDArray[np.intp]
    """How many sets had each outcome."""
    outcome: NDArray[np.intp]
    """The outcome of each entry."""
    points: Floats
    """The points of `first` in each entry."""
    games: Floats
    """The matches of each entry."""
    starts: NDArray[np.intp]
    """The first entry of each pairing."""

    @property
    def sets(self) -> NDArray[np.intp]:
        """Return how many sets tell about each pairing."""
        return np.add.reduceat(self.counts[self.outcome], self.starts)

    @property
    def sets_per_entrant(self) -> Floats:
        """Return how many sets each entrant took part in."""
        size = len(self.entrants)
        entries = np.diff(self.starts, append=len(self.outcome))
        sides = [np.repeat(side, entries) for side in (self.first, self.second)]
        took_part = np.unique(np.concatenate([self.outcome * size + side for side in sides]))
        weights = self.counts[took_part // size].astype(np.float64)
        return np.bincount(took_part % size, weights, size).astype(np.float64)

    def totals(self, weights: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return points of `first` and games of each pairing, if each outcome came so often.

        Shape: weights (..., outcomes); both answers (..., pairings).
        """
        often = weights[..., self.outcome]
        points = np.add.reduceat(often * self.points, self.starts, axis=-1)
        games = np.add.reduceat(often * self.games, self.starts, axis=-1)
        return points, games


def make_pairwise_table(
    pairwise_results: PairwiseResults, entrants: Iterable[int] | None = None
) -> PairwiseTable:
    """Return all results, or those among these entrants, of whom some must have met."""
    field = sorted(set(pairwise_results.entrants if entrants is None else entrants))
    place = {entrant: number for number, entrant in enumerate(field)}
    outcomes = _restrict_to_field(pairwise_results.counts, place)
    entries = sorted(
        (place[one], place[other], number, halves / 2, games)
        for number, (outcome, _) in enumerate(outcomes)
        for one, other, halves, games in outcome
    )
    first, second, outcome, points, games = (
        np.array(column) for column in zip(*entries, strict=True)
    )
    is_new = (np.diff(first, prepend=-1) != 0) | (np.diff(second, prepend=-1) != 0)
    starts = np.flatnonzero(is_new)
    return PairwiseTable(
        entrants=tuple(field),
        first=first[starts],
        second=second[starts],
        counts=np.array([count for _, count in outcomes], dtype=np.intp),
        outcome=outcome,
        points=points,
        games=games.astype(np.float64),
        starts=starts,
    )


def _restrict_to_field(
    counts: Counter[Outcome], field: dict[int, int]
) -> list[tuple[Outcome, int]]:
    """Return outcomes cut down to what they say about the field, sorted, with their counts."""
    among: Counter[Outcome] = Counter()
    for outcome, count in counts.items():
        remaining = tuple(entry for entry in outcome if entry[0] in field and entry[1] in field)
        if remaining:
            among[remaining] += count
    return sorted(among.items())
