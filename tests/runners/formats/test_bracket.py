"""Knockouts."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.formats.bracket import DoubleElimination, SingleElimination, winner_first
from runners.formats.pairing import Pairing
from tests.examples import examples
from tests.runners.formats.fields import a_field, by_chance, play_out


def test_eight_are_seeded_so_that_the_best_two_meet_in_the_final() -> None:
    pairings, points = play_out(SingleElimination(a_field(8)))
    assert [(p.label, p.entrants) for p in pairings] == [
        ("quarter-final", (0, 7)),
        ("quarter-final", (3, 4)),
        ("quarter-final", (1, 6)),
        ("quarter-final", (2, 5)),
        ("semi-final", (0, 3)),
        ("semi-final", (1, 2)),
        ("final", (0, 1)),
    ]
    assert SingleElimination(a_field(8)).ranking(points) == list(range(8))


def test_the_best_have_byes_where_the_field_is_no_power_of_two() -> None:
    pairings, _ = play_out(SingleElimination(a_field(5)))
    assert [p.entrants for p in pairings] == [(3, 4), (0, 3), (1, 2), (0, 1)]


def test_an_upset_carries_the_winner_on() -> None:
    upset = {(0, 3)}

    def judge(pairing: Pairing) -> tuple[float, ...]:
        return (0.0, 1.0) if pairing.entrants in upset else (1.0, 0.0)

    pairings, points = play_out(SingleElimination(a_field(4)), judge)
    assert pairings[-1].entrants == (3, 1)
    assert SingleElimination(a_field(4)).ranking(points)[0] == 3


def test_while_a_round_is_played_losers_stand_behind_those_who_are_still_in() -> None:
    event = SingleElimination(a_field(4))
    first = next(event.pairings({}))
    assert first.entrants == (0, 3)
    assert event.ranking({first.place: (0.0, 1.0)}) == [3, 1, 2, 0]


@settings(max_examples=examples(60))
@given(st.integers(1, 70), st.integers())
def test_in_single_elimination_all_but_one_lose_once(count: int, seed: int) -> None:
    event = SingleElimination(a_field(count))
    pairings, points = play_out(event, by_chance(seed))
    assert len(pairings) == count - 1
    losses = Counter(find_loser(pairing, points) for pairing in pairings)
    assert all(times == 1 for times in losses.values())
    assert {event.ranking(points)[0]} == set(range(count)) - set(losses)


@settings(max_examples=examples(60))
@given(st.integers(2, 40), st.integers())
def test_in_double_elimination_all_but_one_lose_twice(count: int, seed: int) -> None:
    event = DoubleElimination(a_field(count))
    pairings, points = play_out(event, by_chance(seed))
    losses = Counter(find_loser(pairing, points) for pairing in pairings)
    winner = event.ranking(points)[0]
    assert losses[winner] <= 1
    assert all(losses[other] == 2 for other in range(count) if other != winner)
    assert sorted(event.ranking(points)) == list(range(count))


@pytest.mark.parametrize("count", [127, 128, 129, 512, 513])
def test_hundreds_play_to_one_winner(count: int) -> None:
    pairings, points = play_out(SingleElimination(a_field(count)), by_chance(1))
    assert len(pairings) == count - 1
    pairings, points = play_out(DoubleElimination(a_field(count)), by_chance(1))
    losses = Counter(find_loser(pairing, points) for pairing in pairings)
    assert sorted(Counter(losses.values())) in ([2], [1, 2])
    assert len(losses) in (count - 1, count)


def test_four_in_double_elimination_without_an_upset() -> None:
    pairings, points = play_out(DoubleElimination(a_field(4)))
    assert [(p.label, p.entrants) for p in pairings] == [
        ("winners' round 1", (0, 3)),
        ("winners' round 1", (1, 2)),
        ("losers' round 1", (3, 2)),
        ("winners' final", (0, 1)),
        ("losers' round 2", (2, 1)),
        ("final", (0, 1)),
    ]
    assert DoubleElimination(a_field(4)).ranking(points) == [0, 1, 2, 3]


def test_a_second_final_is_played_if_the_unbeaten_one_loses_the_first() -> None:
    def judge(pairing: Pairing) -> tuple[float, ...]:
        return (0.0, 1.0) if pairing.label == "final" else (1.0, 0.0)

    pairings, points = play_out(DoubleElimination(a_field(4)), judge)
    assert [p.label for p in pairings][-2:] == ["final", "second final"]
    assert set(pairings[-1].entrants) == {0, 3}
    assert DoubleElimination(a_field(4)).ranking(points)[0] == pairings[-1].entrants[0]


@pytest.mark.parametrize("kind", [SingleElimination, DoubleElimination])
def test_what_is_open_shows_no_pairing_yet(
    kind: type[SingleElimination] | type[DoubleElimination],
) -> None:
    assert [p.entrants for p in kind(a_field(4)).pairings({})] == [(0, 3), (1, 2)]
    half = list(kind(a_field(4)).pairings({(1, 1): (1.0, 0.0)}))
    assert len(half) == 2


@pytest.mark.parametrize("kind", [SingleElimination, DoubleElimination])
def test_one_alone_has_nothing_to_play(
    kind: type[SingleElimination] | type[DoubleElimination],
) -> None:
    assert list(kind(a_field(1)).pairings({})) == []
    assert kind(a_field(1)).ranking({}) == [0]


def find_loser(pairing: Pairing, points: dict[tuple[int, int], tuple[float, ...]]) -> int:
    return winner_first(pairing.entrants, points[pairing.place])[1]
