"""The results of each two entrants: side-swapped sets counted by their outcome."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.scores import SideSwappedSet

Outcome = tuple[tuple[int, int, int, int], ...]
"""The outcome of a set: for each two of its entrants their numbers (the lower first), the half
points of the lower, and the matches; sorted."""


Pair = tuple[int, int]
"""Two entrants, the lower number first."""


class Total(msgspec.Struct):
    """The sum of all matches of two entrants."""

    points: float = 0.0
    """The points of the entrant with the lower number."""
    games: int = 0
    sets: int = 0


class PairwiseResults:
    """Filled set by set, in any order; equal outcomes are only counted.

    Between two teams a pairing has at most five outcomes (and three of single matches), so
    memory grows with the pairings, not with the matches.
    """

    def __init__(self, sets: Iterable[SideSwappedSet] = ()) -> None:
        self.counts: Counter[Outcome] = Counter()
        for swapped in sets:
            self.add(swapped)

    def add(self, swapped: SideSwappedSet) -> None:
        """Count a set; matches of more than two teams count as all their pairs of teams.

        A bot against itself says nothing about who is better, and is left out.
        """
        halves: Counter[Pair] = Counter()
        games: Counter[Pair] = Counter()
        for lower, higher, point in swapped.duels():
            halves[lower, higher] += round(2 * point)
            games[lower, higher] += 1
        if games:
            self.counts[tuple((*pair, halves[pair], games[pair]) for pair in sorted(games))] += 1

    @property
    def entrants(self) -> list[int]:
        """Return all who met somebody."""
        return sorted({who for outcome in self.counts for entry in outcome for who in entry[:2]})

    def totals(self) -> dict[Pair, Total]:
        """Return the points and games of each two who met."""
        totals: dict[Pair, Total] = defaultdict(Total)
        for outcome, count in sorted(self.counts.items()):
            for one, other, halves, games in outcome:
                total = totals[one, other]
                total.points += count * halves / 2
                total.games += count * games
                total.sets += count
        return dict(totals)


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
    points: NDArray[np.float64]
    """The points of `first` in each entry."""
    games: NDArray[np.float64]
    """The matches of each entry."""
    starts: NDArray[np.intp]
    """The first entry of each pairing."""

    @property
    def sets(self) -> NDArray[np.intp]:
        """Return how many sets tell about each pairing."""
        return np.add.reduceat(self.counts[self.outcome], self.starts)

    @property
    def sets_per_entrant(self) -> NDArray[np.float64]:
        """Return how many sets each entrant took part in."""
        size = len(self.entrants)
        entries = np.diff(self.starts, append=len(self.outcome))
        sides = [np.repeat(side, entries) for side in (self.first, self.second)]
        took_part = np.unique(np.concatenate([self.outcome * size + side for side in sides]))
        weights = self.counts[took_part // size].astype(np.float64)
        return np.bincount(took_part % size, weights, size).astype(np.float64)

    def totals(self, weights: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
