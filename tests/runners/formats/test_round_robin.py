"""Round robins and gauntlets."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.formats.round_robin import Gauntlet, RoundRobin
from tests.cases import for_each
from tests.runners.formats.fields import a_field, by_chance, list_met, play_out


def list_rounds(count: int) -> list[list[tuple[int, ...]]]:
    pairings = list(RoundRobin(a_field(count)).pairings({}))
    last = max((pairing.round for pairing in pairings), default=0)
    return [[p.entrants for p in pairings if p.round == number] for number in range(1, last + 1)]


def test_four_play_the_three_rounds_of_the_circle_method() -> None:
    assert list_rounds(4) == [[(0, 3), (1, 2)], [(0, 2), (3, 1)], [(0, 1), (2, 3)]]


@for_each("count", [*range(1, 25), 128, 257])
def test_everybody_meets_everybody_once_and_nobody_plays_twice_in_a_round(count: int) -> None:
    rounds = list_rounds(count)
    met = sorted(tuple(sorted(pair)) for pairs in rounds for pair in pairs)
    assert met == list(combinations(range(count), 2))
    for pairs in rounds:
        playing = [entrant for pair in pairs for entrant in pair]
        assert len(playing) == len(set(playing)) >= count - 1
    assert len(rounds) == (0 if count < 2 else count - 1 + count % 2)


def test_tables_of_three_are_all_the_threes_there_are() -> None:
    pairings = list(RoundRobin(a_field(5), table=3).pairings({}))
    assert [pairing.entrants for pairing in pairings] == list(combinations(range(5), 3))


def test_in_a_gauntlet_at_tables_the_first_meets_all_the_others_in_all_ways() -> None:
    gauntlet = Gauntlet(a_field(5), table=3)
    pairings = list(gauntlet.pairings({}))
    assert [p.entrants for p in pairings] == [(0, *two) for two in combinations(range(1, 5), 2)]
    assert len(pairings) == gauntlet.tables


@pytest.mark.parametrize(("count", "table"), [(7, 2), (7, 3), (7, 6), (2, 3)])
def test_tables_can_be_counted_without_listing_them(count: int, table: int) -> None:
    event = RoundRobin(a_field(count), table=table)
    assert event.tables == len(list(event.pairings({})))


def test_at_tables_who_is_level_is_told_apart_by_who_finished_above_whom() -> None:
    event = RoundRobin(a_field(4), table=3)
    # 0 and 3 have 1.5 points each; they sat together twice, and 3 finished above both times.
    points = {
        (1, 1): (1.0, 0.5, 0.0),
        (2, 1): (0.0, 0.5, 1.0),
        (3, 1): (0.5, 0.0, 0.5),
        (4, 1): (0.5, 0.5, 0.0),
    }
    assert [p.entrants for p in event.pairings({})] == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert event.ranking(points)[:3] == [3, 1, 0]


def test_a_newcomer_changes_nobody_elses_pairings() -> None:
    before = set(list_met(list(RoundRobin(a_field(6)).pairings({}))))
    after = set(list_met(list(RoundRobin(a_field(7)).pairings({}))))
    assert before < after


def test_in_a_gauntlet_the_first_meets_each_of_the_others() -> None:
    pairings, _ = play_out(Gauntlet(a_field(4)))
    assert list_met(pairings) == [(0, 1), (0, 2), (0, 3)]


def test_the_ranking_breaks_ties_by_head_to_head() -> None:
    event = RoundRobin(a_field(4))
    wins = {(0, 1): 1, (0, 2): 0, (0, 3): 3, (1, 2): 1, (1, 3): 1, (2, 3): 2}

    def judge(pairing):  # type: ignore[no-untyped-def]
        winner = wins[tuple(sorted(pairing.entrants))]
        return tuple(float(entrant == winner) for entrant in pairing.entrants)

    _, points = play_out(event, judge)
    # 1 has three points, 0, 2 and 3 one each: 0 beat 2, 2 beat 3, 3 beat 0.
    assert event.ranking(points)[0] == 1
    assert event.ranking(points)[1:] == [0, 2, 3]


@pytest.mark.parametrize("count", [2, 7, 16])
def test_the_strongest_is_ranked_first_and_the_weakest_last(count: int) -> None:
    event = RoundRobin(a_field(count))
    _, points = play_out(event)
    assert event.ranking(points) == list(range(count))


@given(st.integers(2, 12), st.integers())
def test_everybody_is_ranked_once(count: int, seed: int) -> None:
    event = RoundRobin(a_field(count))
    _, points = play_out(event, by_chance(seed))
    assert sorted(event.ranking(points)) == list(range(count))
