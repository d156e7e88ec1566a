"""The likelihood of a mean, against closed forms and brute force."""

from itertools import combinations_with_replacement, product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.statistics.likelihood import log_likelihood, mean_interval, results_interval

QUARTERS = np.linspace(0, 1, 5)
SHARES_OF_A_MAP = st.integers(0, 12).map(lambda twelfths: twelfths / 12)
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


@pytest.mark.parametrize(
    "size", [1, 2, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in (4, 5, 6))]
)
def test_the_interval_of_every_small_table_holds_the_share(size: int) -> None:
    for table in combinations_with_replacement(range(5), size):
        counts = np.bincount(table, minlength=5).astype(np.float64)
        low, high = mean_interval(QUARTERS, counts)
        assert 0 <= low <= counts @ QUARTERS / size <= high <= 1
        assert low < high


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(SHARES_OF_A_MAP, st.integers(1, 12)), min_size=1, max_size=8))
def test_the_interval_holds_the_share_whatever_results_weigh(
    results: list[tuple[float, float]],
) -> None:
    low, high = results_interval(results)
    share = sum(value * weight for value, weight in results) / sum(w for _, w in results)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


@pytest.mark.parametrize(("results", "low", "high"), [([0.0] * 4, 0.0, 0.53), ([1.0], 0.0, 1.0)])
def test_who_took_nothing_has_no_lower_limit_and_who_took_all_no_upper_one(
    results: list[float], low: float, high: float
) -> None:
    found = results_interval((result, 1) for result in results)
    assert found[round(sum(results)) > 0] == (low, high)[sum(results) > 0]
    assert 0.3 < found[1] - found[0] < 1


def test_a_result_that_weighs_twice_counts_as_two_of_two() -> None:
    """Two results of one map say as much as one trial, whose result is the mean of both."""
    once = results_interval([(0.5, 2), (1.0, 2), (0.0, 2)])
    assert once == results_interval([(0.5, 1), (1.0, 1), (0.0, 1)])
    low, high = results_interval([(1.0, 3), (0.0, 1)] * 40)
    assert low < 0.75 < high
    assert (low + high) / 2 == pytest.approx(0.75, abs=0.01)


def test_the_interval_of_many_results_is_the_normal_one() -> None:
    counts = np.array([500, 1_000, 2_000, 1_200, 600])
    share = counts @ QUARTERS / counts.sum()
    error = np.sqrt(counts @ (QUARTERS - share) ** 2) / counts.sum()
    assert mean_interval(QUARTERS, counts) == pytest.approx(
        (share - 1.96 * error, share + 1.96 * error), abs=1e-4
    )


def test_results_one_by_one_have_the_interval_of_their_counts() -> None:
    values, counts = np.array([0.0, 0.5, 0.75, 1.0]), np.array([0.0, 3.0, 1.0, 2.0])
    results = [0.5, 1.0, 0.5, 0.75, 1.0, 0.5]
    assert results_interval((result, 2) for result in results) == mean_interval(values, counts)


def test_of_no_results_anything_may_be_true() -> None:
    assert results_interval([]) == (0.0, 1.0)
