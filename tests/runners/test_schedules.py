"""Who meets whom, and from which seed."""

from collections import Counter
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.streams import SEED_BITS
from runners.series import draw_partners, map_name, map_seed, maps_for, series_fixtures

SEEDS = st.integers(0, 2**SEED_BITS - 1)


def test_every_map_is_played_twice_with_sides_exchanged() -> None:
    first, second, third, fourth = series_fixtures(2, maps=2, seed=1, secret=5)
    assert first.seed == second.seed != third.seed == fourth.seed
    assert [f.seats for f in (first, second, third, fourth)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [f.number for f in (first, second, third, fourth)] == [0, 1, 2, 3]
    assert [f.map_number for f in (first, second, third, fourth)] == [0, 0, 1, 1]


def test_more_than_two_move_on_by_a_seat_until_everybody_sat_everywhere() -> None:
    fixtures = list(series_fixtures(3, maps=2, seed=1, secret=5))
    assert [fixture.seats for fixture in fixtures] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 2
    assert [fixture.number for fixture in fixtures] == list(range(6))
    assert len({fixture.seed for fixture in fixtures[:3]}) == 1


@pytest.mark.parametrize(
    ("matches", "players", "maps"), [(100, 2, 50), (3, 2, 2), (1, 2, 1), (100, 3, 34), (12, 6, 2)]
)
def test_matches_are_rounded_up_to_whole_rotations(matches: int, players: int, maps: int) -> None:
    assert maps_for(matches, players) == maps


def test_a_longer_series_begins_with_the_shorter_one() -> None:
    longer, shorter = (series_fixtures(3, maps=maps, seed=3, secret=5) for maps in (5, 2))
    assert list(longer)[:6] == list(shorter)


def test_another_seed_or_another_secret_gives_other_maps() -> None:
    seeds = [
        {fixture.seed for fixture in series_fixtures(2, 10, seed=seed, secret=secret)}
        for seed, secret in ((1, 5), (2, 5), (1, 6))
    ]
    assert [len(each) for each in seeds] == [10, 10, 10]
    assert len(set().union(*seeds)) == 30


@given(SEEDS, SEEDS, st.integers(0, 10**6))
def test_a_maps_seed_is_the_hash_that_the_documents_name(
    secret: int, seed: int, number: int
) -> None:
    name = map_name(seed, number)
    hashed = blake2b(f"{secret}/{name}".encode(), digest_size=16).hexdigest()
    assert map_seed(secret, name) == int(hashed, 16)


def test_maps_are_called_by_the_seed_of_all_of_them_and_by_who_meets() -> None:
    assert map_name(7, 3) == "7/map/3"
    assert map_name(2**127, 0, "ann|bob|") == f"0x8{31 * '0'}/ann|bob|map/0"


def test_partners_are_drawn_from_the_maps_seed() -> None:
    seats, pairs = (4, 5, 6, 7), ((1, 3), (2, 4))
    assert draw_partners(seats, 1, ()) == seats
    drawn = [draw_partners(seats, seed, pairs) for seed in range(60)]
    assert {tuple(sorted(each)) for each in drawn} == {seats}
    assert drawn == [draw_partners(seats, seed, pairs) for seed in range(60)]
    partners = Counter(seats[(seats.index(4) + 2) % 4] for seats in drawn)
    assert set(partners) == {5, 6, 7}
    assert min(partners.values()) >= 8
