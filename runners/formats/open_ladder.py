"""The ladder that never ends: who meets next follows from who has met so far; pure.

It is drawn set by set, as anybody may enter or leave at any time; the tournament's ladder, whose
rounds are known, is in ladder.py.

Every third set, and every set while nobody is new, is for whoever has waited longest: of n bots
each one is asked to the board at least once in 3 n sets, however many new ones there are.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import log2

import msgspec

FIRST_OPPONENT_PLACES = (0.5, 0.9, 0.1, 0.7, 0.3)
"""Where in the field a new version looks for its first opponents, from the weakest to the best."""
PLACEMENT_SETS = len(FIRST_OPPONENT_PLACES)
"""The sets after which a version has its place."""
SEEKER_INTERVAL = 3
"""One set in so many is for whoever has waited longest, however many are new."""
NEAR_ELO = 200.0
"""Elo between two that count as much as having waited longest, or having met once."""
SPREAD_WEIGHT = 10.0
"""What the whole width of the field counts for who is new, in the same unit."""

Met = Callable[[str, str], int]
"""Returns how many sets two versions played against each other."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A version that can play."""

    version: str
    authors: frozenset[str]
    elo: float
    sets: int
    """The sets that this version has played, or is to play."""
    last: int
    """The number of the last set that its bot was in; 0 if there was none."""
    is_resting: bool = False
    """It has played enough for today, and plays only those who are new."""

    @property
    def is_new(self) -> bool:
        return self.sets < PLACEMENT_SETS


class OpenLadder:
    """The sets that were drawn so far, and who plays the next one."""

    def __init__(self) -> None:
        self._number = 0
        """That of the last set."""
        self._met = Counter[tuple[str, str]]()
        self._sets = Counter[str]()
        self._last = Counter[str]()

    def count_sets(self, version: str) -> int:
        """Return how many sets a version has played, or is to play."""
        return self._sets[version]

    def last_set(self, bot: str) -> int:
        """Return the number of the last set that a bot was in; 0 if there was none."""
        return self._last[bot]

    def add_set(self, number: int, seated: Sequence[tuple[str, str]]) -> None:
        """Count a set of versions, each with its bot."""
        self._number = max(self._number, number)
        for version, bot in seated:
            self._sets[version] += 1
            self._last[bot] = max(self._last[bot], number)
        self._met.update(_sorted_pair(*met) for met in combinations([one for one, _ in seated], 2))

    def count_meetings(self, one: str, other: str) -> int:
        """Return how many sets two versions played against each other."""
        return self._met[_sorted_pair(one, other)]

    def next_table(
        self, candidates: Sequence[Candidate], sizes: Sequence[int]
    ) -> tuple[Candidate, ...]:
        """Return who plays the next set; nobody if too few authors have a bot that may play.

        `sizes` are the numbers of players that the game can have; as many play as it can seat. No
        two have an author in common.
        """
        awake = [one for one in candidates if not one.is_resting]
        for seeker in _order_seekers(awake, self._number + 1):
            table = self._choose_table(seeker, candidates if seeker.is_new else awake, sizes)
            if table:
                return table
        return ()

    def _choose_table(
        self, seeker: Candidate, candidates: Sequence[Candidate], sizes: Sequence[int]
    ) -> tuple[Candidate, ...]:
        """Return who plays with a seeker; nobody if too few of them have other authors."""
        most = len({one.authors for one in candidates})
        costs = _Costs(candidates, seeker, self.count_meetings)
        spread = FIRST_OPPONENT_PLACES[seeker.sets] if seeker.is_new else 0.0
        for size in sorted((size for size in sizes if size <= most), reverse=True):
            table, seated = [seeker], set(seeker.authors)
            for index in range(size - 1):
                others = [one for one in candidates if seated.isdisjoint(one.authors)]
                if not others:
                    break
                cost = costs.cost_for_rank((index + spread) / (size - 1))
                table.append(min(others, key=cost))
                seated |= table[-1].authors
            if len(table) == size:
                return tuple(table)
        return ()


def _order_seekers(candidates: Sequence[Candidate], number: int) -> Iterator[Candidate]:
    """Yield for whom the set is, and then for whom else if there is nobody to meet."""
    new = [one for one in candidates if one.is_new]
    if new and number % SEEKER_INTERVAL:
        yield from sorted(new, key=lambda one: (one.sets, one.last, one.version))
    yield from sorted(candidates, key=lambda one: (one.last, one.version))


class _Costs:
    """How little each candidate suits as an opponent."""

    def __init__(self, candidates: Sequence[Candidate], seeker: Candidate, met: Met) -> None:
        self._seeker = seeker
        self._met = met
        self._ranks = _rank_shares(candidates, lambda one: (one.elo, one.version))
        self._recent = _rank_shares(candidates, lambda one: (one.last, one.version))

    def cost_for_rank(self, rank: float) -> Callable[[Candidate], float]:
        """Return the cost of each for a seat that, if the seeker is new, is for this rank."""
        return lambda other: (
            self._distance_cost(other, rank)
            + log2(1 + self._met(self._seeker.version, other.version))
            + self._recent[other.version]
        )

    def _distance_cost(self, other: Candidate, rank: float) -> float:
        if self._seeker.is_new:
            return SPREAD_WEIGHT * abs(self._ranks[other.version] - rank)
        return abs(self._seeker.elo - other.elo) / NEAR_ELO


def _rank_shares(
    candidates: Sequence[Candidate], key: Callable[[Candidate], tuple[float, str]]
) -> dict[str, float]:
    """Return the place of each in this order, 0 to 1."""
    last = max(1, len(candidates) - 1)
    return {one.version: index / last for index, one in enumerate(sorted(candidates, key=key))}


def _sorted_pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
