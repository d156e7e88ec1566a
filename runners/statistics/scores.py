"""Scores of matches by seats, in side-swapped sets."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count
from statistics import fmean

import msgspec

from engine.game import Groups


class Score(msgspec.Struct, frozen=True):
    """One match."""

    seats: tuple[int, ...]
    """The entrants of team 1, team 2, ...; a bot against itself is named twice."""
    points: tuple[float, ...]
    """The points of each seat. Only their order counts: who has more has won, as many is a draw."""
    groups: Groups = ()
    """The teams that played together, which are not each other's opponents."""

    def shares(self) -> tuple[float, ...]:
        """Return for each seat the share of its opponents it beat."""
        return compute_shares(self.points, self.groups)


class SideSwappedSet(msgspec.Struct, frozen=True):
    """The matches of the same entrants on one map, with their seats exchanged.

    Of two teams a side-swapped pair: two matches; of more the rotation of the seats. Luck of the
    map strikes all of them, so it is the set, and not the match, that is one independent trial.
    A set may be short of a match that could not be played.
    """

    seed: int
    """The seed of the map."""
    scores: tuple[Score, ...]

    @property
    def seats(self) -> int:
        """Return how many teams a match has."""
        return len(self.scores[0].seats)

    @property
    def is_alone(self) -> bool:
        """Return whether a bot played against itself."""
        return len(set(self.scores[0].seats)) == 1

    @property
    def is_balanced(self) -> bool:
        """Return whether everybody sat everywhere equally often."""
        places = Counter(place for score in self.scores for place in enumerate(score.seats))
        everywhere = len(set(self.scores[0].seats)) * self.seats
        return len(places) == everywhere and len(set(places.values())) == 1

    def share_of_seats(self) -> tuple[float, ...]:
        """Return what each seat took of the points of the set, 0 to 1."""
        per_match = [score.shares() for score in self.scores]
        return tuple(sum(shares) / len(per_match) for shares in zip(*per_match, strict=True))

    def duels(self) -> Iterator[tuple[int, int, float]]:
        """Yield the pairs of entrants of each match: lower and higher number, the lower's point.

        A bot against itself is none.
        """
        for score in self.scores:
            seated = zip(score.seats, score.points, count(1), strict=False)
            for (one, own, team), (other, others, rival) in combinations(sorted(seated), 2):
                if one != other and not are_partners(team, rival, score.groups):
                    yield one, other, duel_points(own, others)

    def entrant_share(self, entrant: int) -> float:
        """Return what one of the entrants took of the points of the set, 0 to 1."""
        own = [
            share
            for score in self.scores
            for seat, share in zip(score.seats, score.shares(), strict=True)
            if seat == entrant
        ]
        return sum(own) / len(own)


def compute_shares(points: Sequence[float], groups: Groups = ()) -> tuple[float, ...]:
    """Return for each of these points the share of its opponents it beat (a draw is half); 0 to 1.

    Those who play together in `groups` are no opponents.
    """
    return tuple(
        fmean(
            duel_points(own, other)
            for rival, other in enumerate(points, 1)
            if rival != team and not are_partners(team, rival, groups)
        )
        for team, own in enumerate(points, 1)
    )


def are_partners(team: int, other: int, groups: Groups) -> bool:
    return any(team in group and other in group for group in groups)


def duel_points(own: float, other: float) -> float:
    """Return the point between two with these scores: 1, 0.5 or 0."""
    return (own > other) + (own == other) / 2


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
        for outcome, times in sorted(self.counts.items()):
            for one, other, halves, games in outcome:
                total = totals[one, other]
                total.points += times * halves / 2
                total.games += times * games
                total.sets += times
        return dict(totals)
