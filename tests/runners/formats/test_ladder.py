"""Ladders."""

from hypothesis import given
from hypothesis import strategies as st

from runners.formats.ladder import Ladder
from runners.formats.pairing import Entrant, Pairing
from tests.runners.formats.fields import a_field, by_chance, played_out


def the_later_wins(pairing: Pairing) -> tuple[float, ...]:
    first, second = pairing.entrants
    return (0.0, 1.0) if second > first else (1.0, 0.0)


def test_neighbours_meet_in_turns() -> None:
    pairings, _ = played_out(Ladder(a_field(5), rounds=2))
    assert [p.entrants for p in pairings] == [(0, 1), (2, 3), (1, 2), (3, 4)]


def test_the_strongest_climbs_from_the_lowest_rung_to_the_top() -> None:
    event = Ladder(a_field(7))
    _, points = played_out(event, the_later_wins)
    assert event.ranking(points) == [6, 5, 4, 3, 2, 1, 0]


def test_a_newcomer_starts_on_the_lowest_rung() -> None:
    _, points = played_out(Ladder(a_field(4), rounds=2), the_later_wins)
    event = Ladder([*a_field(4), Entrant(4, joined=3)], rounds=3)
    pairings = list(event.pairings(points))
    assert pairings[:3] == list(Ladder(a_field(4), rounds=2).pairings(points))
    assert event.ranking(points)[-1] == 4


@given(st.integers(1, 20), st.integers())
def test_everybody_is_ranked_once(count: int, seed: int) -> None:
    event = Ladder(a_field(count))
    _, points = played_out(event, by_chance(seed))
    assert sorted(event.ranking(points)) == list(range(count))
