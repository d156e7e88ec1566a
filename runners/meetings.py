"""Who met whom with what success: mirrored sets counted by their outcome."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.scores import MirroredSet

Outcome = tuple[tuple[int, int, int, int], ...]
"""Of a set: for each two of its entrants their numbers (the lower first), the lower's half
points, and the matches; sorted."""


Pair = tuple[int, int]
"""Two entrants, the lower number first."""


class Total(msgspec.Struct):
    """What came of all meetings of two."""

    points: float = 0.0
    """Of the lower number."""
    games: int = 0
    sets: int = 0


class Meetings:
    """Filled set by set, in any order; equal outcomes are only counted.

    Between two teams a pairing has at most five outcomes (and three of single matches), so
    memory grows with the pairings, not with the matches.
    """

    def __init__(self, sets: Iterable[MirroredSet] = ()) -> None:
        self.counts: Counter[Outcome] = Counter()
        for mirrored in sets:
            self.add(mirrored)

    def add(self, mirrored: MirroredSet) -> None:
        """Matches of more than two teams count as all their pairs of teams.

        A bot against itself says nothing about who is better, and is left out.
        """
        halves: Counter[Pair] = Counter()
        games: Counter[Pair] = Counter()
        for lower, higher, point in mirrored.duels():
            halves[lower, higher] += round(2 * point)
            games[lower, higher] += 1
        if games:
            self.counts[tuple((*pair, halves[pair], games[pair]) for pair in sorted(games))] += 1

    @property
    def entrants(self) -> list[int]:
        """All who met somebody."""
        return sorted({who for outcome in self.counts for entry in outcome for who in entry[:2]})

    def totals(self) -> dict[Pair, Total]:
        """Of each two who met."""
        totals: dict[Pair, Total] = defaultdict(Total)
        for outcome, count in sorted(self.counts.items()):
            for one, other, halves, games in outcome:
                total = totals[one, other]
                total.points += count * halves / 2
                total.games += count * games
                total.sets += count
        return dict(totals)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Meetings as arrays, in an order that does not depend on the order of play.

    Pairings are the columns of all that is fitted. An outcome of a set has one entry for each
    pairing it tells about (between two teams that is one). Entries are sorted by pairing.
    """

    entrants: tuple[int, ...]
    """By their place in the arrays."""
    first: NDArray[np.intp]
    """Of each pairing, the place of one entrant."""
    second: NDArray[np.intp]
    """And of the other."""
    counts: NDArray[np.intp]
    """Of each outcome: how many sets had it."""
    outcome: NDArray[np.intp]
    """Of each entry: its outcome."""
    points: NDArray[np.float64]
    """Of each entry: points of `first`."""
    games: NDArray[np.float64]
    """Of each entry: matches."""
    starts: NDArray[np.intp]
    """Of each pairing: its first entry."""

    def totals(self, weights: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points of `first` and games of each pairing, if each outcome came so often.

        Shape: weights (..., outcomes); both answers (..., pairings).
        """
        often = weights[..., self.outcome]
        points = np.add.reduceat(often * self.points, self.starts, axis=-1)
        games = np.add.reduceat(often * self.games, self.starts, axis=-1)
        return points, games


def table_of(meetings: Meetings, entrants: Iterable[int] | None = None) -> Table:
    """All meetings, or those among these entrants; at least one of them must have been."""
    field = sorted(set(meetings.entrants if entrants is None else entrants))
    place = {entrant: number for number, entrant in enumerate(field)}
    outcomes = _among(meetings.counts, place)
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
    return Table(
        entrants=tuple(field),
        first=first[starts],
        second=second[starts],
        counts=np.array([count for _, count in outcomes], dtype=np.intp),
        outcome=outcome,
        points=points,
        games=games.astype(np.float64),
        starts=starts,
    )


def _among(counts: Counter[Outcome], field: dict[int, int]) -> list[tuple[Outcome, int]]:
    """Outcomes cut down to what they say about the field, sorted, with how often they came."""
    among: Counter[Outcome] = Counter()
    for outcome, count in counts.items():
        kept = tuple(entry for entry in outcome if entry[0] in field and entry[1] in field)
        if kept:
            among[kept] += count
    return sorted(among.items())
