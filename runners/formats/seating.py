"""Tables of a Swiss round: those of about equal points, few of whom have met before."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby, product

from runners.formats.scoring import Scoresheet

REMATCH = 10**12
"""The cost of two who meet again: more than points of a whole table can add up to."""
POINT = 10**5
"""The cost of a point between two who meet, squared."""

Table = list[int]


def tables_of(field: Sequence[int], size: int, sheet: Scoresheet) -> list[tuple[int, ...]]:
    """Return the tables of a field, which is in order of rank and fills its tables.

    Those of a table come in that order, tables in the order of their best.
    """
    tables = _by_points(field, size, sheet)
    _separate(tables, _Costs(field, sheet))
    places = {entrant: place for place, entrant in enumerate(field)}
    ordered = (tuple(sorted(table, key=places.__getitem__)) for table in tables)
    return sorted(ordered, key=lambda table: places[table[0]])


def _by_points(field: Sequence[int], size: int, sheet: Scoresheet) -> list[Table]:
    """Seat at each table one of each part of a group with equal points, as halves meet in pairs.

    Who does not fill a table sits down with those who follow.
    """
    tables: list[Table] = []
    left = list(field)
    while left:
        _, equal = next(groupby(left, sheet.total))
        count = max(1, len(list(equal)) // size)
        seated, left = left[: count * size], left[count * size :]
        tables += [seated[number::count] for number in range(count)]
    return tables


class _Costs:
    """The costs of matches: how often these met before, and how far apart they rank."""

    def __init__(self, field: Sequence[int], sheet: Scoresheet) -> None:
        self._met = {
            one: Counter(other for other, _ in sheet.pairwise_results[one]) for one in field
        }
        self._totals = {one: sheet.total(one) for one in field}

    def of(self, table: Table) -> int:
        return sum(self._of_two(one, other) for one, other in combinations(table, 2))

    def has_met(self, table: Table) -> bool:
        """Return whether any two of them met before."""
        return any(self._met[one][other] for one, other in combinations(table, 2))

    def _of_two(self, one: int, other: int) -> int:
        apart = self._totals[one] - self._totals[other]
        return REMATCH * self._met[one][other] + round(POINT * apart * apart)


def _separate(tables: list[Table], costs: _Costs) -> None:
    """Exchange two as long as that gains something for a table at which some have met."""
    while any(_exchange(table, tables, costs) for table in tables if costs.has_met(table)):
        pass


def _exchange(table: Table, tables: list[Table], costs: _Costs) -> bool:
    """Make the exchange that gains most, if any gains; whether one did."""
    most, best = 0, None
    for other in tables:
        if other is table:
            continue
        before = costs.of(table) + costs.of(other)
        for mine, theirs in product(range(len(table)), range(len(other))):
            _swap(table, mine, other, theirs)
            gain = before - costs.of(table) - costs.of(other)
            _swap(table, mine, other, theirs)
            if gain > most:
                most, best = gain, (mine, other, theirs)
    if best is not None:
        _swap(table, *best)
    return best is not None


def _swap(table: Table, mine: int, other: Table, theirs: int) -> None:
    table[mine], other[theirs] = other[theirs], table[mine]
