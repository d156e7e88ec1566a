"""Swiss pairings."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.formats.pairing import Pairing, Seeding
from runners.formats.swiss import Swiss, most_rounds, usual_rounds
from tests.cases import for_each
from tests.examples import examples
from tests.runners.formats.fields import (
    a_field,
    any_order,
    by_chance,
    in_order,
    list_met,
    play_out,
    the_earlier_wins,
)


def pairs_of_round(pairings: list[Pairing], number: int) -> list[tuple[int, ...]]:
    return [pairing.entrants for pairing in pairings if pairing.round == number]


def test_eight_with_no_upset_pair_as_the_books_have_it() -> None:
    pairings, _ = play_out(Swiss(a_field(8), rounds=3))
    assert pairs_of_round(pairings, 1) == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert pairs_of_round(pairings, 2) == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert pairs_of_round(pairings, 3)[0] == (0, 1)
    assert sorted(map(sorted, pairs_of_round(pairings, 3)[1:3])) == [[2, 4], [3, 5]] or sorted(
        map(sorted, pairs_of_round(pairings, 3)[1:3])
    ) == [[2, 5], [3, 4]]


@settings(max_examples=examples(30))
@given(st.integers(1, 40), st.integers())
def test_nobody_meets_twice_while_that_can_be_avoided(count: int, seed: int) -> None:
    event = Swiss(a_field(count))
    pairings, _ = play_out(event, by_chance(seed))
    met = list_met(pairings)
    assert len(met) == len(set(met))


@for_each("count", range(3, 13))
def test_nobody_meets_or_rests_twice_in_as_many_rounds_as_there_are(count: int) -> None:
    for seed in range(examples(20)):
        event = Swiss(a_field(count), rounds=most_rounds(count))
        pairings, _ = play_out(event, by_chance(seed))
        met = list_met(pairings)
        assert len(met) == len(set(met))
        byes = [pairing.entrants for pairing in pairings if pairing.is_bye]
        assert len(byes) == len(set(byes))
        assert len(pairings) == (count + 1) // 2 * (count - 1)


@settings(max_examples=examples(30))
@given(st.integers(2, 40), st.integers())
def test_everybody_plays_or_rests_once_in_every_round(count: int, seed: int) -> None:
    event = Swiss(a_field(count))
    pairings, _ = play_out(event, by_chance(seed))
    for number in range(1, event.rounds + 1):
        present = [entrant for pair in pairs_of_round(pairings, number) for entrant in pair]
        assert sorted(present) == list(range(count))


@settings(max_examples=examples(20))
@given(st.integers(3, 25), st.integers())
def test_nobody_rests_twice_before_all_have_rested(count: int, seed: int) -> None:
    pairings, _ = play_out(Swiss(a_field(count)), by_chance(seed))
    rests = Counter(pairing.entrants[0] for pairing in pairings if pairing.is_bye)
    assert not rests or max(rests.values()) == 1 or len(rests) == count


@pytest.mark.parametrize("count", [128, 257])
def test_hundreds_are_paired(count: int) -> None:
    event = Swiss(a_field(count), rounds=4)
    pairings, points = play_out(event)
    met = list_met(pairings)
    assert len(met) == len(set(met)) == 4 * (count // 2)
    assert event.ranking(points)[0] == 0


def test_a_round_waits_for_the_one_before() -> None:
    event = Swiss(a_field(4))
    first = list(event.pairings({}))
    assert [pairing.round for pairing in first] == [1, 1]
    assert list(event.pairings({(1, 1): (1.0, 0.0)})) == first
    points = {pairing.place: the_earlier_wins(pairing) for pairing in first}
    assert [pairing.round for pairing in event.pairings(points)] == [1, 1, 2, 2]


def test_later_results_change_no_earlier_pairings() -> None:
    event = Swiss(a_field(9))
    pairings, points = play_out(event, by_chance(3))
    for last in range(1, event.rounds):
        early = {place: share for place, share in points.items() if place[0] <= last}
        known = list(event.pairings(early))
        assert known == pairings[: len(known)]
        assert known[-1].round == last + 1


def test_a_newcomer_plays_from_the_round_it_joined() -> None:
    before = Swiss(a_field(6), rounds=4)
    _, points = play_out(Swiss(a_field(6), rounds=2))
    event = Swiss([*a_field(6), Seeding(6, joined=3)], rounds=4)
    known = list(event.pairings(points))
    assert known[:6] == list(before.pairings(points))[:6]
    assert 6 in [entrant for pairing in known if pairing.round == 3 for entrant in pairing.entrants]


def test_buchholz_tells_apart_who_is_level() -> None:
    event = Swiss(a_field(4), rounds=2)
    points = {(1, 1): (1.0, 0.0), (1, 2): (1.0, 0.0), (2, 1): (1.0, 0.0), (2, 2): (0.0, 1.0)}
    pairings = list(event.pairings(points))
    assert [p.entrants for p in pairings] == [(0, 2), (1, 3), (0, 1), (2, 3)]
    # 1 and 3 have a point each; 1 met 0 (2) and 3 (1), 3 met 1 (1) and 2 (0).
    assert event.ranking(points) == [0, 1, 3, 2]


def test_tables_take_from_each_third_of_a_group_and_the_rest_has_byes() -> None:
    pairings, _ = play_out(Swiss(a_field(8), table=3, rounds=1), in_order)
    assert [p.entrants for p in pairings] == [(0, 2, 4), (1, 3, 5), (7,), (6,)]


def test_who_does_not_fill_a_table_sits_with_those_below() -> None:
    pairings, _ = play_out(Swiss(a_field(9), table=3, rounds=2), in_order)
    assert pairs_of_round(pairings, 1) == [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    # 0, 1 and 2 have a point each, then 3, 4 and 5 a half.
    assert pairs_of_round(pairings, 2) == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]


@settings(max_examples=examples(40))
@given(st.integers(2, 40), st.integers(3, 6), st.integers())
def test_at_tables_everybody_plays_or_rests_once_in_every_round(
    count: int, table: int, seed: int
) -> None:
    event = Swiss(a_field(count), table=table)
    pairings, _ = play_out(event, any_order(seed))
    for number in range(1, event.rounds + 1):
        met = pairs_of_round(pairings, number)
        assert sorted(entrant for seats in met for entrant in seats) == list(range(count))
        assert {len(seats) for seats in met} <= {1, table}
    rests = Counter(pairing.entrants[0] for pairing in pairings if pairing.is_bye)
    assert max(rests.values(), default=0) - min(rests[one] for one in range(count)) <= 1


@settings(max_examples=examples(20))
@given(st.integers(0, 1_000))
def test_at_tables_with_room_hardly_anybody_meets_twice(seed: int) -> None:
    pairings, _ = play_out(Swiss(a_field(36), table=3, rounds=5), any_order(seed))
    met = Counter(two for p in pairings for two in combinations(sorted(p.entrants), 2))
    assert sum(count - 1 for count in met.values()) <= 1  # of 180 meetings


def test_later_results_change_no_earlier_tables() -> None:
    event = Swiss(a_field(14), table=4)
    pairings, points = play_out(event, any_order(3))
    early = {place: share for place, share in points.items() if place[0] <= 2}
    known = list(Swiss(a_field(14), table=4).pairings(early))
    assert known == pairings[: len(known)]
    assert known[-1].round == 3


def test_hundreds_are_seated_at_tables() -> None:
    event = Swiss(a_field(301), table=4, rounds=4)
    pairings, points = play_out(event, in_order)
    assert len([p for p in pairings if not p.is_bye]) == 4 * 75
    assert event.ranking(points)[0] == 0


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (4, 3), (8, 5), (24, 7), (200, 10)])
def test_the_usual_number_of_rounds(count: int, rounds: int) -> None:
    assert usual_rounds(count) == rounds


@pytest.mark.parametrize(
    ("count", "table", "usual", "most"), [(3, 3, 1, 1), (9, 3, 4, 4), (27, 3, 5, 13), (6, 6, 1, 1)]
)
def test_at_tables_there_are_fewer_rounds(count: int, table: int, usual: int, most: int) -> None:
    assert usual_rounds(count, table) == usual
    assert Swiss(a_field(count), table=table).most_rounds == most
