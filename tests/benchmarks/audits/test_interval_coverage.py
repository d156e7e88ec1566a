"""The worlds in which intervals are tried."""

import numpy as np
import pytest

from benchmarks.audits.interval_coverage import Coverage, World
from runners.statistics.ratings import Rating, RatingKind


def a_world(*, bots: int = 3, elo: float = 300, maps: int = 400, alike: float = 0.0) -> World:
    return World(bots=bots, elo=elo, maps=maps, alike=alike)


def a_rating(low: float | None, high: float | None) -> Rating:
    return Rating(
        entrant=0, kind=RatingKind.RATED, elo=1500.0, low=low, high=high, points=1.0, games=2
    )


def test_bots_are_evenly_spaced_around_1500() -> None:
    assert a_world().truths == [1650, 1500, 1350]


def test_everybody_wins_as_often_as_the_difference_says() -> None:
    total = a_world(bots=2, maps=4_000).play(np.random.default_rng(1)).totals()[0, 1]
    assert total.points / total.games == pytest.approx(1 / (1 + 10 ** (-300 / 400)), abs=0.01)


@pytest.mark.parametrize(("alike", "shared"), [(0.0, True), (1.0, False)])
def test_where_maps_decide_no_pair_is_won_by_both(alike: float, shared: bool) -> None:
    outcomes = a_world(bots=2, elo=0, alike=alike).play(np.random.default_rng(1)).counts
    halves = {outcome[0][2] for outcome in outcomes}
    assert (halves == {0, 2, 4}) is not shared
    assert (halves == {0, 1, 2, 3, 4}) is shared


def test_an_interval_without_an_end_holds_all_that_lies_there() -> None:
    coverage = Coverage()
    for rating in (a_rating(1400, None), a_rating(1400, 1450), a_rating(None, 1550)):
        coverage.add((rating,), [1500.0])
    assert coverage.held == [1.0, 0.0, 1.0]
    assert (coverage.widths, coverage.endless) == ([50.0], 2)
