"""The likelihood of a mean, against closed forms and brute force."""

from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.likelihood import interval, interval_of, log_likelihood

QUARTERS = np.linspace(0, 1, 5)
COUNTS = st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any).map(np.array)


@pytest.mark.parametrize(("lost", "won", "mean"), [(1, 1, 0.3), (30, 70, 0.5), (7, 2, 0.9)])
def test_of_two_values_it_is_the_binomial_one(lost: int, won: int, mean: float) -> None:
    share = won / (won + lost)
    binomial = won * log(mean / share) + lost * log((1 - mean) / (1 - share))
    counts = np.array([lost, won])
    assert log_likelihood(np.array([0.0, 1.0]), counts, mean) == pytest.approx(binomial)


def test_of_three_values_it_is_the_highest_that_a_search_finds() -> None:
    counts, mean = np.array([3, 10, 6]), 0.45
    middle = np.linspace(1e-6, 0.9, 200_001)
    high = mean - middle / 2
    low = 1 - middle - high
    possible = (high > 0) & (low > 0)
    p = np.stack([low, middle, high])[:, possible]
    found = (counts[:, None] * np.log(p * counts.sum() / counts[:, None])).sum(axis=0).max()
    likeliest = log_likelihood(np.array([0.0, 0.5, 1.0]), counts, mean)
    assert likeliest == pytest.approx(found, abs=1e-8)


@settings(deadline=None)
@given(COUNTS, st.floats(0.01, 0.99))
def test_no_mean_is_likelier_than_that_of_the_results(counts: np.ndarray, mean: float) -> None:
    assert np.isfinite(log_likelihood(QUARTERS, counts, mean))
    assert log_likelihood(QUARTERS, counts, mean) <= 1e-9
    seen = np.maximum(counts, [0.5, 0, 0, 0, 0.5])
    assert log_likelihood(QUARTERS, counts, seen @ QUARTERS / seen.sum()) == pytest.approx(0)


def test_cases_are_apart() -> None:
    counts = np.array([[1, 2, 3, 4, 5], [5, 0, 0, 0, 2]])
    means = np.array([0.3, 0.6])
    table = log_likelihood(QUARTERS, counts[:, None, :], means)
    assert table.shape == (2, 2)
    for case, hypothesis in product(range(2), range(2)):
        alone = log_likelihood(QUARTERS, counts[case], means[hypothesis])
        assert table[case, hypothesis] == pytest.approx(alone)


@settings(deadline=None)
@given(COUNTS)
def test_the_interval_holds_the_share(counts: np.ndarray) -> None:
    low, high = interval(QUARTERS, counts)
    share = counts @ QUARTERS / counts.sum()
    assert 0 <= low <= high <= 1
    assert low - 1e-6 <= share or share == 0
    assert share <= high + 1e-6 or share == 1


def test_the_interval_of_many_results_is_the_normal_one() -> None:
    counts = np.array([500, 1_000, 2_000, 1_200, 600])
    share = counts @ QUARTERS / counts.sum()
    error = np.sqrt(counts @ (QUARTERS - share) ** 2) / counts.sum()
    assert interval(QUARTERS, counts) == pytest.approx(
        (share - 1.96 * error, share + 1.96 * error), abs=1e-4
    )


def test_results_one_by_one_have_the_interval_of_their_counts() -> None:
    values, counts = np.array([0.0, 0.5, 0.75, 1.0]), np.array([0.0, 3.0, 1.0, 2.0])
    assert interval_of([0.5, 1.0, 0.5, 0.75, 1.0, 0.5]) == interval(values, counts)


def test_of_no_results_anything_may_be_true() -> None:
    assert interval_of([]) == (0.0, 1.0)
