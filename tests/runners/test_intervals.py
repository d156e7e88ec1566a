"""Intervals, against published ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.intervals import wilson

# R. G. Newcombe, Two-sided confidence intervals for the single proportion: comparison of
# seven methods, Statistics in Medicine 17 (1998), table I, method 3 (score method).
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("wins", "games", "low", "high"), NEWCOMBE)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    assert list(wilson(wins, games)) == pytest.approx([low, high], abs=5e-5)


def test_without_games_anything_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_draw_counts_as_half_a_win() -> None:
    assert wilson(0.5, 1)[0] == pytest.approx(1 - wilson(0.5, 1)[1])


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, 2 * n), st.just(n))))
def test_the_rate_lies_in_its_interval_and_the_interval_in_0_to_1(halves: tuple[int, int]) -> None:
    half_points, games = halves
    low, high = wilson(half_points / 2, games)
    assert 0 <= low <= half_points / 2 / games <= high <= 1
