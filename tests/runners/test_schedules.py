"""Who meets whom, and from which seed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.schedules import SEED_BITS, maps_for, rotated_series


def test_every_map_is_played_twice_with_sides_exchanged() -> None:
    first, second, third, fourth = rotated_series(2, maps=2, seed=1)
    assert first.seed == second.seed != third.seed == fourth.seed
    assert [f.seats for f in (first, second, third, fourth)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [f.number for f in (first, second, third, fourth)] == [0, 1, 2, 3]


def test_more_than_two_move_on_by_a_seat_until_everybody_sat_everywhere() -> None:
    fixtures = list(rotated_series(3, maps=2, seed=1))
    assert [fixture.seats for fixture in fixtures] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 2
    assert [fixture.number for fixture in fixtures] == list(range(6))
    assert len({fixture.seed for fixture in fixtures[:3]}) == 1


@pytest.mark.parametrize(
    ("matches", "players", "maps"), [(100, 2, 50), (3, 2, 2), (1, 2, 1), (100, 3, 34), (12, 6, 2)]
)
def test_matches_are_rounded_up_to_whole_rotations(matches: int, players: int, maps: int) -> None:
    assert maps_for(matches, players) == maps


def test_a_longer_series_begins_with_the_shorter_one() -> None:
    assert list(rotated_series(3, maps=5, seed=3))[:6] == list(rotated_series(3, maps=2, seed=3))


def test_another_seed_gives_other_maps() -> None:
    seeds = [{fixture.seed for fixture in rotated_series(2, 10, seed)} for seed in (1, 2)]
    assert len(seeds[0]) == len(seeds[1]) == 10
    assert seeds[0].isdisjoint(seeds[1])


@given(st.integers(0, 2**SEED_BITS - 1), st.integers(1, 9))
def test_seeds_are_numbers_that_every_json_reader_keeps(seed: int, maps: int) -> None:
    for fixture in rotated_series(2, maps, seed):
        assert 0 <= fixture.seed < 2**53
        assert int(float(fixture.seed)) == fixture.seed
