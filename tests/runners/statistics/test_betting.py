"""Confidence sequences by betting: worked figures, and errors whenever one looks."""

from math import exp

import numpy as np
import pytest

from runners.statistics.sequential import (
    chance_above,
    confidence_interval,
    log_wealth,
    log_wealth_below,
)

VALUES = np.linspace(0, 1, 5)
HALF = 0.5


def won(pairs: int) -> np.ndarray:
    return np.array([0, 0, 0, 0, pairs])


def test_the_wealth_is_the_mean_of_bets_from_a_hundredth_to_nearly_all() -> None:
    bets = [0.02 + number * 1.88 / 23 for number in range(24)]
    counts = np.array([1, 0, 2, 3, 0])
    expected = np.mean([(1 - bet / 2) * (1 + bet / 4) ** 3 for bet in bets])
    assert exp(log_wealth(VALUES, counts, HALF)) == pytest.approx(expected)
    mirrored = log_wealth_below(VALUES, counts[::-1], HALF)
    assert exp(mirrored) == pytest.approx(expected)


def test_results_that_are_as_expected_win_nothing() -> None:
    counts = np.array([0, 0, 9, 0, 0])
    assert log_wealth(VALUES, counts, HALF) == pytest.approx(0)
    assert chance_above(VALUES, counts, HALF) == pytest.approx(HALF)


def test_an_interval_leaves_out_one_half_when_a_side_has_won_40_times_its_stake() -> None:
    wealth = [exp(log_wealth(VALUES, won(pairs), HALF)) for pairs in (7, 8)]
    lows = [confidence_interval(VALUES, won(pairs))[0] for pairs in (7, 8)]
    assert wealth[0] < 40 < wealth[1]
    assert lows[0] < HALF < lows[1]


def test_without_results_every_mean_is_possible() -> None:
    assert confidence_interval(VALUES, won(0)) == (0.0, 1.0)


@pytest.mark.parametrize("mean", [0.5, 0.8])
def test_the_true_mean_is_left_out_at_some_moment_in_at_most_5_percent(mean: float) -> None:
    chance = np.random.default_rng(1)
    shares = chance.binomial(4, mean, size=(400, 300))
    counts = (shares[..., None] == np.arange(5)).cumsum(axis=1)
    sides = (log_wealth(VALUES, counts, mean), log_wealth_below(VALUES, counts, mean))
    left_out = np.maximum(*sides).max(axis=1) > np.log(40)
    assert 0 < left_out.mean() <= 0.05
