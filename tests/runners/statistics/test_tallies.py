"""Rates over maps, with their intervals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.series import Tally

POINTS = st.sampled_from([0.0, 0.5, 1.0])
MAPS = st.lists(st.lists(POINTS, min_size=1, max_size=4).map(tuple), min_size=1, max_size=6)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(MAPS)
def test_the_interval_holds_the_rate_however_many_matches_each_map_saw(
    maps: list[tuple[float, ...]],
) -> None:
    tally = Tally(teams=2, maps=tuple(maps))
    low, high = tally.interval
    assert low - 1e-12 <= tally.rate <= high + 1e-12
    assert (low == 0) is (tally.rate == 0)
    assert (high == 1) is (tally.rate == 1)


@pytest.mark.parametrize(("share", "end"), [(0.0, 0), (1.0, 1)])
def test_a_rate_at_the_end_of_what_can_be_is_the_end_of_its_interval(
    share: float, end: int
) -> None:
    tally = Tally(teams=2, maps=((share, share),) * 2)
    assert tally.interval[end] == tally.rate == share
    assert 0.2 < abs(tally.interval[1 - end] - share) < 0.9


@pytest.mark.parametrize(("share", "place"), [(1.0, 1.0), (0.5, 2.5), (0.0, 4.0)])
def test_places_count_from_1_to_the_number_of_teams(share: float, place: float) -> None:
    assert Tally(teams=4, maps=((share,),)).mean_place == place


def test_a_map_with_one_match_weighs_half_as_much_as_one_with_two() -> None:
    tally = Tally(teams=2, maps=(*[(1.0, 1.0)] * 60, *[(0.0,)] * 60))
    low, high = tally.interval
    assert low < tally.rate == 2 / 3 < high
    assert low > 0.5
