"""Ladders."""

from hypothesis import given
from hypothesis import strategies as st

from runners.formats.ladder import Ladder
from runners.formats.pairing import Pairing, Seeding
from tests.runners.formats.fields import a_field, any_order, by_chance, in_order, play_out


def the_later_wins(pairing: Pairing) -> tuple[float, ...]:
    first, second = pairing.entrants
    return (0.0, 1.0) if second > first else (1.0, 0.0)


def test_neighbors_meet_in_turns() -> None:
    pairings, _ = play_out(Ladder(a_field(5), rounds=2))
    assert [p.entrants for p in pairings] == [(0, 1), (2, 3), (1, 2), (3, 4)]


def test_the_strongest_climbs_from_the_lowest_rung_to_the_top() -> None:
    event = Ladder(a_field(7))
    _, points = play_out(event, the_later_wins)
    assert event.ranking(points) == [6, 5, 4, 3, 2, 1, 0]


def test_a_newcomer_starts_on_the_lowest_rung() -> None:
    _, points = play_out(Ladder(a_field(4), rounds=2), the_later_wins)
    event = Ladder([*a_field(4), Seeding(4, joined=3)], rounds=3)
    pairings = list(event.pairings(points))
    assert pairings[:3] == list(Ladder(a_field(4), rounds=2).pairings(points))
    assert event.ranking(points)[-1] == 4


def test_tables_of_three_meet_from_the_top_and_then_from_below() -> None:
    pairings, _ = play_out(Ladder(a_field(8), table=3, rounds=2), in_order)
    assert [p.entrants for p in pairings] == [(0, 1, 2), (3, 4, 5), (2, 3, 4), (5, 6, 7)]


def test_a_table_stands_afterwards_in_the_order_in_which_it_finished() -> None:
    event = Ladder(a_field(6), table=3, rounds=1)
    points = {(1, 1): (0.0, 1.0, 0.5), (1, 2): (0.25, 0.25, 1.0)}
    assert event.ranking(points) == [1, 2, 0, 5, 3, 4]


@given(st.integers(3, 20), st.integers(2, 6))
def test_in_two_rounds_everybody_plays_at_tables_of_any_size(count: int, table: int) -> None:
    pairings, _ = play_out(Ladder(a_field(count), table=table, rounds=2), in_order)
    playing = {entrant for pairing in pairings for entrant in pairing.entrants}
    assert playing == (set(range(count)) if count >= table else set())


def test_at_tables_too_the_strongest_climbs_to_the_top() -> None:
    event = Ladder(a_field(11), table=4)
    _, points = play_out(event, lambda pairing: tuple(map(float, _ranks(pairing))))
    assert event.ranking(points)[0] == 10


def _ranks(pairing: Pairing) -> list[int]:
    return [sum(other < one for other in pairing.entrants) for one in pairing.entrants]


@given(st.integers(1, 20), st.integers(2, 6), st.integers())
def test_at_tables_everybody_is_ranked_once(count: int, table: int, seed: int) -> None:
    event = Ladder(a_field(count), table=table)
    _, points = play_out(event, any_order(seed))
    assert sorted(event.ranking(points)) == list(range(count))


@given(st.integers(1, 20), st.integers())
def test_everybody_is_ranked_once(count: int, seed: int) -> None:
    event = Ladder(a_field(count))
    _, points = play_out(event, by_chance(seed))
    assert sorted(event.ranking(points)) == list(range(count))
