"""Swiss: each round those meet who have done about equally well, and have not met yet."""

from collections.abc import Iterator, Sequence

from runners.formats.pairing import Format, Pairing, Points, Seeding, round_label
from runners.formats.scoring import Scoresheet
from runners.formats.seating import tables_of
from runners.graphs import cheapest_pairs

REMATCH = 10**12
"""The cost of meeting again: more than all else in a round can add up to."""
GROUP = 10**5
"""The cost of a point between those who meet, squared: more than any place within a group."""
POINT = 2
"""Halves are told apart."""

Shares = tuple[float, ...] | None


class Swiss(Format):
    """`rounds` rounds, by default as many as make one winner of a knockout, and two more.

    At tables of more, those who are left over have byes, and tables take from a group of equal
    points its first, second, ... parts, as the upper and the lower half meet in pairs.
    """

    name = "swiss"
    ranks_by_strength = True

    def __init__(
        self, entrants: Sequence[Seeding], *, table: int = 2, rounds: int | None = None
    ) -> None:
        super().__init__(entrants, table=table, rounds=rounds)
        # Pairing a round of hundreds takes a while, and is asked for again and again.
        self._rounds: dict[tuple[int, tuple[Shares, ...]], list[Pairing]] = {}

    @property
    def rounds(self) -> int:
        return self.wanted_rounds or usual_rounds(len(self.entrants), self.table)

    @property
    def most_rounds(self) -> int:
        """Return after how many rounds everybody has met everybody, if nobody met twice."""
        return most_rounds(len(self.entrants), self.table)

    def pairings(self, points: Points) -> Iterator[Pairing]:
        known: list[Pairing] = []
        for number in range(1, self.rounds + 1):
            if any(not pairing.is_bye and pairing.place not in points for pairing in known):
                return
            shares = tuple(points.get(pairing.place) for pairing in known)
            if (number, shares) not in self._rounds:
                sheet = Scoresheet(known, points)
                self._rounds[number, shares] = list(self._round(number, sheet))
            yield from self._rounds[number, shares]
            known += self._rounds[number, shares]

    def ranking(self, points: Points) -> list[int]:
        sheet = Scoresheet(self.pairings(points), points)
        field = (entrant.number for entrant in self.entrants)
        return sheet.ranking(field, by_strength=self.ranks_by_strength)

    def _round(self, number: int, sheet: Scoresheet) -> Iterator[Pairing]:
        present = [entrant.number for entrant in self.entrants if entrant.joined <= number]
        field = sheet.ranking(present, by_strength=True)
        resting = _resting(field, len(field) % self.table, sheet)
        field = [entrant for entrant in field if entrant not in resting]
        met = _pairs(field, sheet) if self.table == 2 else tables_of(field, self.table, sheet)
        label = round_label(number)
        place = 0
        for place, entrants in enumerate(met, 1):
            yield Pairing(number, place, entrants, label)
        for after, entrant in enumerate(resting, 1):
            yield Pairing(number, place + after, (entrant,), label)


def most_rounds(entrants: int, table: int = 2) -> int:
    return -(-(entrants - 1) // (table - 1))


def usual_rounds(entrants: int, table: int = 2) -> int:
    """Return enough rounds to find the best three, but never more than there are opponents."""
    to_one = 1
    while table**to_one < entrants:
        to_one += 1
    return max(1, min(most_rounds(entrants, table), to_one + 2))


def _resting(field: list[int], count: int, sheet: Scoresheet) -> list[int]:
    """Return the lowest of those who had the fewest byes."""
    places = {entrant: place for place, entrant in enumerate(field)}
    return sorted(field, key=lambda entrant: (sheet.byes[entrant], -places[entrant]))[:count]


def _pairs(field: list[int], sheet: Scoresheet) -> list[tuple[int, ...]]:
    """Pair all in the cheapest way: nobody meets again while that can be had.

    `field` is in order of rank; the pairs come in the order of their better half.
    """
    met = {entrant: [other for other, _ in sheet.pairwise_results[entrant]] for entrant in field}
    groups = _groups(field, sheet)
    costs = {
        (a, b): met[field[a]].count(field[b]) * REMATCH + _cost(a, b, groups)
        for a in range(len(field))
        for b in range(a + 1, len(field))
    }
    return [(field[one], field[other]) for one, other in cheapest_pairs(len(field), costs)]


class _Group:
    """Those with equal points, by their places in the ranking."""

    def __init__(self, total: float) -> None:
        self.total = total
        self.size = 0


def _groups(field: list[int], sheet: Scoresheet) -> list[_Group]:
    """Return the group of each place."""
    groups: list[_Group] = []
    for entrant in field:
        total = sheet.total(entrant)
        group = groups[-1] if groups and groups[-1].total == total else _Group(total)
        group.size += 1
        groups.append(group)
    return groups


def _cost(a: int, b: int, groups: list[_Group]) -> int:
    """Return the cost of a pair: equal points first; in a group, its halves meet in order."""
    apart = round(POINT * (groups[a].total - groups[b].total))
    ideal = groups[a].size // 2 if groups[a] is groups[b] else 1
    return GROUP * apart * apart + abs(b - a - ideal)
