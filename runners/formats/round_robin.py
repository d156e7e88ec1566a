"""Everybody meets everybody: round robin, and the gauntlet, in which one meets all others.

At tables of more than two that is every table there can be; each is a round of its own.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from runners.formats.pairing import Format, Pairing, SharesByPairing, round_label
from runners.formats.scoring import Scoresheet


class RoundRobin(Format):
    """Everybody meets everybody once; in games for more, every table of so many plays."""

    name = "round_robin"
    takes_updates = True
    follows_results = False
    meets_once = True
    adds_up_points = True

    @property
    def tables(self) -> int:
        """Return how many pairings there are."""
        return comb(len(self.entrants), self.table)

    def pairings(self, points: SharesByPairing) -> Iterator[Pairing]:
        field = [entrant.number for entrant in self.entrants]
        return _circle_rounds(field) if self.table == 2 else _all_tables(field, self.table)

    def ranking(self, points: SharesByPairing) -> list[int]:
        sheet = Scoresheet(self.pairings(points), points)
        field = (entrant.number for entrant in self.entrants)
        return sheet.ranking(field, by_strength=self.ranks_by_strength)


class Gauntlet(RoundRobin):
    """The first entrant meets each of the others."""

    name = "gauntlet"

    @property
    def tables(self) -> int:
        return comb(len(self.entrants) - 1, self.table - 1)

    def pairings(self, points: SharesByPairing) -> Iterator[Pairing]:
        first, *others = (entrant.number for entrant in self.entrants)
        tables = combinations(others, self.table - 1)
        for number, table in enumerate(tables, 1):
            yield Pairing(number, 1, (first, *table), round_label(number))


def _circle_rounds(field: list[int]) -> Iterator[Pairing]:
    """Yield rounds in which everybody plays once, or rests where their number is odd.

    The first stands still, the others move on by one place each round (circle method).
    """
    circle: list[int | None] = [*field, *([None] if len(field) % 2 else [])]
    half = len(circle) // 2
    for number in range(1, len(circle)):
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        met = [(a, b) for a, b in pairs if a is not None and b is not None]
        for place, pair in enumerate(met, 1):
            yield Pairing(number, place, pair, round_label(number))
        circle.insert(1, circle.pop())


def _all_tables(field: list[int], size: int) -> Iterator[Pairing]:
    for number, table in enumerate(combinations(field, size), 1):
        yield Pairing(number, 1, table, round_label(number))
