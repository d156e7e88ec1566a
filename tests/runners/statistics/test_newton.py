"""Sums by entrant and the steps of Newton's method, compared with whole matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.statistics.comparisons import Comparisons, Floats, Prior, Sides
from runners.statistics.resampling import Curvature, Equations

STAR = [(0, 4), (1, 4), (2, 4), (3, 4)]
CHAIN = [(0, 1), (1, 2), (2, 3), (3, 4)]
EVERYBODY = [(one, other) for one in range(5) for other in range(one + 1, 5)]
TWO_OF_FIVE = [(1, 3)]
FIELDS = pytest.mark.parametrize(
    "met",
    [STAR, CHAIN, EVERYBODY, TWO_OF_FIVE],
    ids=["a star", "a chain", "everybody", "two of five"],
)


def pairings_of(met: list[tuple[int, int]], size: int = 5) -> Comparisons:
    first, second = np.array(met).T
    return Comparisons(size, first, second)


def symmetric(pairings: Comparisons, values: Floats) -> Floats:
    """Return a matrix of what each pairing has, from both sides."""
    matrix = np.zeros((pairings.size, pairings.size))
    matrix[pairings.first, pairings.second] = values
    return matrix + matrix.T


@given(st.sets(st.sampled_from(EVERYBODY), min_size=1), st.integers(1, 3))
def test_the_sum_of_an_entrant_is_that_of_its_pairings(
    met: set[tuple[int, int]], fits: int
) -> None:
    pairings = pairings_of(sorted(met))
    sides = Sides.from_pairings(pairings)
    values = np.arange(1.0, 1 + fits * len(met)).reshape(len(met), fits)
    sums = np.empty((5, fits))
    sums[sides.order] = sides.sum_by_entrant(values[sides.pairing])
    assert sums.T.tolist() == [
        symmetric(pairings, column).sum(axis=1).tolist() for column in values.T
    ]


@FIELDS
def test_both_sides_of_a_pairing_know_each_other(met: list[tuple[int, int]]) -> None:
    sides = Sides.from_pairings(pairings_of(met))
    own, other = sides.order[sides.own].tolist(), sides.order[sides.other].tolist()
    found = zip(own, other, sides.pairing.tolist(), sides.is_second.tolist(), strict=True)
    expected = [
        side
        for number, (one, two) in enumerate(met)
        for side in ((one, two, number, False), (two, one, number, True))
    ]
    assert sorted(found) == sorted(expected)


@FIELDS
def test_what_is_solved_is_what_a_matrix_gives(met: list[tuple[int, int]]) -> None:
    pairings, chance = pairings_of(met), np.random.default_rng(1)
    weights, prior = chance.random((len(met), 3)), chance.exponential(0.1, (5, 3))
    wanted = chance.normal(size=(5, 3))
    sides = Sides.from_pairings(pairings)
    by_side = weights[sides.pairing]
    curvature = Curvature(sides, by_side, sides.sum_by_entrant(by_side) + prior[sides.order])
    found = np.empty((5, 3))
    found[sides.order] = curvature.solve(wanted[sides.order])
    for fit in range(3):
        matrix = -symmetric(pairings, weights[:, fit])
        matrix += np.diag(prior[:, fit] - matrix.sum(axis=1))
        assert found[:, fit] == pytest.approx(np.linalg.solve(matrix, wanted[:, fit]), abs=2e-3)


def test_where_everybody_has_what_was_expected_no_step_is_made() -> None:
    games, prior = np.full((2, 4), 2.0), np.full((2, 5), 0.25)
    equations = Equations.from_pairings(pairings_of(CHAIN), games / 2, games, Prior(prior, prior))
    assert equations.step(np.zeros((2, 5))).tolist() == np.zeros((2, 5)).tolist()
