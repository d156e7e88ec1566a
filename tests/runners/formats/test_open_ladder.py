"""Who meets next on a ladder."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from runners.formats.open_ladder import PLACEMENT_SETS, Candidate, OpenLadder

DUELS = range(2, 3)
TABLES = range(2, 7)


class Ladder:
    """A ladder that is played on paper."""

    def __init__(self, field: Sequence[Candidate], sizes: Sequence[int] = DUELS) -> None:
        self.field = {one.version: one for one in field}
        self.sizes = sizes
        self.format = OpenLadder()
        self.number = 0
        self.met = Counter[frozenset[str]]()
        self.tables: list[tuple[Candidate, ...]] = []

    def play(self, sets: int) -> None:
        for _ in range(sets):
            self.number += 1
            table = self.format.next_table(list(self.field.values()), self.sizes)
            self.format.add_set(self.number, [(one.version, one.version) for one in table])
            self.tables.append(table)
            self.met.update(frozenset(pair) for pair in combinations([t.version for t in table], 2))
            for one in table:
                self.field[one.version] = replace(one, sets=one.sets + 1, last=self.number)

    def count_played(self) -> Counter[str]:
        counts = Counter(one.version for table in self.tables for one in table)
        return Counter({version: counts[version] for version in self.field})


def make_field(elos: Sequence[float], authors: Sequence[int] | None = None) -> list[Candidate]:
    """Return a field; everybody has an author of its own unless that is said."""
    by = range(len(elos)) if authors is None else authors
    return [
        Candidate(version=f"v{number}", authors=frozenset([f"a{author}"]), elo=elo, sets=0, last=0)
        for number, (elo, author) in enumerate(zip(elos, by, strict=True))
    ]


def draw_table(candidates: Sequence[Candidate], number: int = 1) -> tuple[Candidate, ...]:
    """Return who plays a set, by its number, of those who have not met."""
    ladder = OpenLadder()
    ladder.add_set(number - 1, [])
    return ladder.next_table(candidates, DUELS)


elos = st.lists(st.floats(800, 2400), min_size=2, max_size=25)


@given(elos)
def test_in_duels_everybody_plays_at_least_half_the_mean(ratings: list[float]) -> None:
    ladder = Ladder(make_field(ratings))
    ladder.play(20 * len(ratings))
    played = ladder.count_played()
    assert min(played.values()) >= mean(played.values()) / 2


@given(elos)
def test_at_tables_of_six_everybody_plays_at_least_a_third_of_the_mean(
    ratings: list[float],
) -> None:
    ladder = Ladder(make_field(ratings), TABLES)
    ladder.play(10 * len(ratings))
    played = ladder.count_played()
    assert min(played.values()) >= mean(played.values()) / 3
    assert {len(table) for table in ladder.tables} == {min(6, len(ratings))}


@given(elos)
@pytest.mark.slow
def test_a_flood_of_new_versions_starves_nobody(ratings: list[float]) -> None:
    ladder = Ladder(make_field(ratings))
    ladder.play(PLACEMENT_SETS * len(ratings))
    ladder.tables.clear()
    for _ in range(12 * len(ratings)):  # the first bot is handed in anew before every set
        first = ladder.field["v0"]
        ladder.field["v0"] = replace(first, sets=0)
        ladder.play(1)
    # One set in three is for whoever has waited longest.
    assert min(ladder.count_played().values()) >= 12 // 3


@given(st.lists(st.integers(0, 4), min_size=2, max_size=20), st.sampled_from([DUELS, TABLES]))
def test_no_two_bots_of_one_author_meet(authors: list[int], sizes: range) -> None:
    ladder = Ladder(make_field([1500.0 + 10 * n for n in range(len(authors))], authors), sizes)
    ladder.play(30)
    for table in ladder.tables:
        assert len({one.authors for one in table}) == len(table)
    expected = 0 if len(set(authors)) < 2 else min(max(sizes), len(set(authors)))
    assert {len(table) for table in ladder.tables} == {expected}


def test_bots_that_share_an_author_do_not_meet_and_keep_nobody_else_from_playing() -> None:
    shared, ann, bob = make_field([1500.0] * 3)
    ann, bob = replace(ann, authors=frozenset("A")), replace(bob, authors=frozenset("B"))
    shared = replace(shared, authors=frozenset("AB"))
    assert {one.version for one in draw_table([shared, ann, bob])} == {ann.version, bob.version}
    assert draw_table([shared, ann]) == ()
    cleo = replace(ann, version="cleo", authors=frozenset("C"))
    assert shared in draw_table([shared, ann, cleo])


def test_a_table_is_smaller_where_no_more_have_other_authors() -> None:
    chain = [
        replace(one, authors=frozenset(pair))
        for one, pair in zip(make_field([1500.0] * 3), ("AB", "BC", "CD"), strict=True)
    ]
    ladder = OpenLadder()
    table = ladder.next_table(chain, TABLES)
    assert {one.version for one in table} == {"v0", "v2"}


def test_nobody_plays_alone() -> None:
    assert draw_table([]) == ()
    assert draw_table(make_field([1500.0])) == ()


def test_one_set_in_three_is_for_whoever_has_waited_longest_however_many_are_new() -> None:
    new = [replace(one, last=50) for one in make_field([1500.0] * 9)]
    patient = Candidate(version="patient", authors=frozenset(["p"]), elo=1500, sets=100, last=2)
    late = Candidate(version="late", authors=frozenset(["l"]), elo=1500, sets=100, last=40)
    seekers = [draw_table([*new, late, patient], number)[0].version for number in (3, 4, 5, 6)]
    assert seekers == ["patient", "v0", "v0", "patient"]


def test_a_new_version_meets_opponents_from_all_over_the_field() -> None:
    old = [
        replace(one, sets=100, last=1) for one in make_field([1000 + 10 * n for n in range(100)])
    ]
    new = Candidate(version="new", authors=frozenset(["new"]), elo=1500, sets=0, last=0)
    ladder = Ladder([*old, new])
    ladder.number = 3
    while ladder.field["new"].sets < PLACEMENT_SETS:
        ladder.play(1)
    met = [
        other.elo
        for table in ladder.tables
        if "new" in {one.version for one in table}
        for other in table
        if other.version != "new"
    ]
    assert min(met) < 1200
    assert max(met) > 1800
    assert len(ladder.tables) <= 2 * PLACEMENT_SETS  # placement comes first


def test_who_has_a_place_meets_neighbors_mostly_and_all_others_sometimes() -> None:
    field = [replace(one, sets=100) for one in make_field([1000 + 100 * n for n in range(10)])]
    ladder = Ladder(field)
    ladder.play(400)
    gaps = [abs(one.elo - other.elo) for one, other in ladder.tables]
    at_random = mean(abs(one.elo - other.elo) for one, other in combinations(field, 2))
    assert mean(gaps) < at_random * 0.75
    assert len(ladder.met) == 45  # each of the 45 pairings came up


def test_who_rests_plays_only_those_who_are_new() -> None:
    resting = [replace(one, sets=100, is_resting=True) for one in make_field([1, 2, 3])]
    awake = Candidate(version="awake", authors=frozenset(["a"]), elo=2, sets=100, last=0)
    new = Candidate(version="new", authors=frozenset(["n"]), elo=2, sets=0, last=0)
    assert draw_table(resting) == ()
    assert draw_table([*resting, awake]) == ()
    seeker, other = draw_table([*resting, new])
    assert seeker == new
    assert other in resting


@pytest.mark.parametrize("sets", [1, 7])
def test_the_same_field_gives_the_same_table(sets: int) -> None:
    one, other = Ladder(make_field([1, 2, 3, 4])), Ladder(make_field([1, 2, 3, 4]))
    one.play(sets)
    other.play(sets)
    assert one.tables == other.tables
