"""The results of each two entrants: side-swapped sets counted by their outcome."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

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
