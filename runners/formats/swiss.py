"""Swiss: each round those meet who have done about equally well, and have not met yet."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, product

from runners.formats.pairing import Format, Pairing, Seeding, SharesByPairing, round_label
from runners.formats.scoring import Scoresheet
from runners.graphs import cheapest_pairs

REMATCH_COST = 10**12
"""The cost of meeting again: more than all else in a round can add up to."""
POINT_COST = 10**5
"""The cost of a point between those who meet, squared: more than any place within a group."""
FORBIDDEN_COST = 10**15
"""The cost of a pair that is not to be; more than that of any round without it."""
MAX_EXHAUSTIVE_FIELD = 10
"""Of a field of no more than this all ways to pair it are compared: 945 of ten."""
MAX_STEPS = 20_000
NOBODY = -1
"""Whom those meet who rest."""
HALVES_PER_POINT = 2
"""Halves are told apart."""
TABLE_POINT = 10**5
"""The cost of a point between two who meet, squared."""

Shares = tuple[float, ...] | None
Pair = tuple[int, int]
Table = list[int]


class Swiss(Format):
    """`rounds` rounds, by default as many as make one winner of a knockout, and two more.

    At tables of more, those who are left over have byes, and tables take from a group of equal
    points its first, second, ... parts, as the upper and the lower half meet in pairs.
    """

    name = "swiss"
    adds_up_points = True
    ranks_by_strength = True
    takes_rounds = True

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

    def pairings(self, points: SharesByPairing) -> Iterator[Pairing]:
        known: list[Pairing] = []
        for number in range(1, self.rounds + 1):
            if any(not pairing.is_bye and pairing.place not in points for pairing in known):
                return
            shares = tuple(points.get(pairing.place) for pairing in known)
            if (number, shares) not in self._rounds:
                sheet = Scoresheet(known, points)
                self._rounds[number, shares] = list(self._make_round(number, sheet))
            yield from self._rounds[number, shares]
            known += self._rounds[number, shares]

    def ranking(self, points: SharesByPairing) -> list[int]:
        sheet = Scoresheet(self.pairings(points), points)
        field = (entrant.number for entrant in self.entrants)
        return sheet.ranking(field, by_strength=self.ranks_by_strength)

    def _make_round(self, number: int, sheet: Scoresheet) -> Iterator[Pairing]:
        present = [entrant.number for entrant in self.entrants if entrant.joined <= number]
        field = sheet.ranking(present, by_strength=True)
        met: Sequence[tuple[int, ...]]
        if self.table == 2:
            met, resting = pair_round(field, sheet, rounds_to_come=self.rounds - number)
        else:
            resting = _choose_byes(field, len(field) % self.table, sheet)
            field = [entrant for entrant in field if entrant not in resting]
            met = make_tables(field, self.table, sheet)
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


def _choose_byes(field: list[int], count: int, sheet: Scoresheet) -> list[int]:
    """Return the lowest of those who had the fewest byes."""
    places = {entrant: index for index, entrant in enumerate(field)}
    return sorted(field, key=lambda entrant: (sheet.byes[entrant], -places[entrant]))[:count]


def pair_round(
    field: list[int], sheet: Scoresheet, *, rounds_to_come: int
) -> tuple[list[Pair], list[int]]:
    """Return who meets in a round of pairs, and who rests.

    Nobody meets again while that can be had, also in the rounds to come: late in a small field
    the cheapest pairs may leave two groups within which everybody has met everybody.
    `field` is in order of rank; the pairs come in the order of their better half.
    """
    ways = _candidate_pairings(field, sheet)
    first = next(ways)
    left = Meetings(field, sheet)
    if left.can_go_on(*first, rounds_to_come):
        return first
    return next((way for way in ways if left.can_go_on(*way, rounds_to_come)), first)


def _candidate_pairings(
    field: list[int], sheet: Scoresheet
) -> Iterator[tuple[list[Pair], list[int]]]:
    """Yield ways to pair a field, from the best on: all of a small one, or as many as will do."""
    candidates = _choose_byes(field, len(field), sheet) if len(field) % 2 else [None]
    for resting in candidates:
        playing = [entrant for entrant in field if entrant != resting]
        costs = _pair_costs(playing, sheet)
        rests = [] if resting is None else [resting]
        chosen = cheapest_pairs(len(playing), costs)
        yield _to_entrants(chosen, playing), rests
        if len(playing) <= MAX_EXHAUSTIVE_FIELD:
            others = sorted(
                _generate_pairings(tuple(range(len(playing)))), key=_make_cost_key(costs)
            )
        else:
            others = [
                cheapest_pairs(len(playing), {**costs, pair: FORBIDDEN_COST}) for pair in chosen
            ]
            others.sort(key=_make_cost_key(costs))
        for pairs in others:
            yield _to_entrants(pairs, playing), rests


def _to_entrants(pairs: Iterable[Pair], field: list[int]) -> list[Pair]:
    return [(field[one], field[other]) for one, other in pairs]


def _make_cost_key(costs: Mapping[Pair, int]) -> Callable[[Iterable[Pair]], int]:
    return lambda pairs: sum(costs[pair] for pair in pairs)


def _generate_pairings(places: tuple[int, ...]) -> Iterator[list[Pair]]:
    """Yield all ways to pair these places."""
    if not places:
        yield []
        return
    one, *others = places
    for other in others:
        left = tuple(place for place in others if place != other)
        for pairs in _generate_pairings(left):
            yield [(one, other), *pairs]


def _pair_costs(field: list[int], sheet: Scoresheet) -> dict[Pair, int]:
    """Return what each pair costs, by the places of both in the field."""
    met = {entrant: [other for other, _ in sheet.pairwise_results[entrant]] for entrant in field}
    groups = _point_groups(field, sheet)
    return {
        (a, b): met[field[a]].count(field[b]) * REMATCH_COST + _pair_cost(a, b, groups)
        for a in range(len(field))
        for b in range(a + 1, len(field))
    }


class Meetings:
    """Who has met whom, with NOBODY as the opponent of those who rest in an odd field."""

    def __init__(self, field: Sequence[int], sheet: Scoresheet) -> None:
        odd = [NOBODY] if len(field) % 2 else []
        everybody = {*field, *odd}
        self._open = {
            entrant: everybody - {entrant, *(other for other, _ in sheet.pairwise_results[entrant])}
            for entrant in field
        }
        if odd:
            for entrant in field:
                if sheet.byes[entrant]:
                    self._open[entrant].discard(NOBODY)
            self._open[NOBODY] = {entrant for entrant in field if not sheet.byes[entrant]}

    def can_go_on(self, pairs: Sequence[Pair], resting: Sequence[int], rounds: int) -> bool:
        """Return whether after these pairs so many rounds without a rematch can be played.

        A bye is a meeting of nobody. Where the search takes too long, it is believed they can.
        """
        left = {entrant: set(others) for entrant, others in self._open.items()}
        for one, other in (*pairs, *((entrant, NOBODY) for entrant in resting)):
            if other not in left[one]:
                return False
            left[one].discard(other)
            left[other].discard(one)
        return _Search(left).can_pair_rounds(rounds)


class _Search:
    """Looks for rounds in which all are paired, and no pair meets that has met."""

    def __init__(self, left: dict[int, set[int]]) -> None:
        self._opponents = left
        """Whom each can still meet."""
        self._steps = 0

    def can_pair_rounds(self, rounds: int) -> bool:
        # Whoever can still meet half of the field finds an opponent (Dirac): no need to search.
        fewest = min(map(len, self._opponents.values()), default=0)
        if rounds == 0 or fewest - (rounds - 1) >= len(self._opponents) / 2:
            return True
        return fewest >= rounds and self._has_round(set(self._opponents), rounds)

    def _has_round(self, waiting: set[int], rounds: int) -> bool:
        """Pair all who wait for an opponent of this round; then go on with the next one."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            return True
        if not waiting:
            return self.can_pair_rounds(rounds - 1)
        one = min(waiting, key=lambda entrant: (len(self._opponents[entrant] & waiting), entrant))
        for other in sorted(self._opponents[one] & waiting):
            self._opponents[one].discard(other)
            self._opponents[other].discard(one)
            found = self._has_round(waiting - {one, other}, rounds)
            self._opponents[one].add(other)
            self._opponents[other].add(one)
            if found:
                return True
        return False


class _Group:
    """Those with equal points, by their places in the ranking."""

    def __init__(self, total: float) -> None:
        self.total = total
        self.size = 0


def _point_groups(field: list[int], sheet: Scoresheet) -> list[_Group]:
    """Return the group of each place."""
    groups: list[_Group] = []
    for entrant in field:
        total = sheet.total(entrant)
        group = groups[-1] if groups and groups[-1].total == total else _Group(total)
        group.size += 1
        groups.append(group)
    return groups


def _pair_cost(a: int, b: int, groups: list[_Group]) -> int:
    """Return the cost of a pair: equal points first; in a group, its halves meet in order."""
    apart = round(HALVES_PER_POINT * (groups[a].total - groups[b].total))
    ideal = groups[a].size // 2 if groups[a] is groups[b] else 1
    return POINT_COST * apart * apart + abs(b - a - ideal)


def make_tables(field: Sequence[int], size: int, sheet: Scoresheet) -> list[tuple[int, ...]]:
    """Return the tables of a field, which is in order of rank and fills its tables.

    Those of a table come in that order, tables in the order of their best.
    """
    tables = _tables_by_points(field, size, sheet)
    costs = _Costs(field, sheet)
    # Two are exchanged as long as a table at which some have met gains something by it.
    while any(_make_best_exchange(one, tables, costs) for one in tables if costs.has_met(one)):
        pass
    places = {entrant: index for index, entrant in enumerate(field)}
    ordered = (tuple(sorted(table, key=places.__getitem__)) for table in tables)
    return sorted(ordered, key=lambda table: places[table[0]])


def _tables_by_points(field: Sequence[int], size: int, sheet: Scoresheet) -> list[Table]:
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

    def compute(self, table: Table) -> int:
        return sum(self._cost_of_two(one, other) for one, other in combinations(table, 2))

    def has_met(self, table: Table) -> bool:
        """Return whether any two of them met before."""
        return any(self._met[one][other] for one, other in combinations(table, 2))

    def _cost_of_two(self, one: int, other: int) -> int:
        apart = self._totals[one] - self._totals[other]
        return REMATCH_COST * self._met[one][other] + round(TABLE_POINT * apart * apart)


def _make_best_exchange(table: Table, tables: list[Table], costs: _Costs) -> bool:
    """Make the exchange that gains most, if any gains; whether one did."""
    most, best = 0, None
    for other in tables:
        if other is table:
            continue
        before = costs.compute(table) + costs.compute(other)
        for row, other_row in product(range(len(table)), range(len(other))):
            _swap(table, row, other, other_row)
            gain = before - costs.compute(table) - costs.compute(other)
            _swap(table, row, other, other_row)
            if gain > most:
                most, best = gain, (row, other, other_row)
    if best is not None:
        _swap(table, *best)
    return best is not None


def _swap(table: Table, row: int, other: Table, other_row: int) -> None:
    table[row], other[other_row] = other[other_row], table[row]
