"""Who meets whom, and from which seed."""

from hypothesis import given
from hypothesis import strategies as st

from runners.schedules import SEED_BITS, mirrored_series


def test_every_map_is_played_twice_with_sides_exchanged() -> None:
    first, second, third, fourth = mirrored_series(4, seed=1)
    assert first.seed == second.seed != third.seed == fourth.seed
    assert [f.seats for f in (first, second, third, fourth)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [f.number for f in (first, second, third, fourth)] == [0, 1, 2, 3]


def test_of_an_odd_number_the_last_map_is_played_once() -> None:
    assert [fixture.seats for fixture in mirrored_series(3, seed=1)] == [(0, 1), (1, 0), (0, 1)]


def test_a_longer_series_begins_with_the_shorter_one() -> None:
    assert list(mirrored_series(10, seed=3))[:5] == list(mirrored_series(5, seed=3))


def test_another_seed_gives_other_maps() -> None:
    seeds = [{fixture.seed for fixture in mirrored_series(20, seed)} for seed in (1, 2)]
    assert len(seeds[0]) == len(seeds[1]) == 10
    assert seeds[0].isdisjoint(seeds[1])


@given(st.integers(0, 2**SEED_BITS - 1), st.integers(1, 9))
def test_seeds_are_numbers_that_every_json_reader_keeps(seed: int, matches: int) -> None:
    for fixture in mirrored_series(matches, seed):
        assert 0 <= fixture.seed < 2**53
        assert int(float(fixture.seed)) == fixture.seed
