"""Fits, against closed forms and the likelihood equations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.bradley_terry import Floats, Pairings, Prior, fit

TRIANGLE = Pairings(3, np.array([0, 0, 1]), np.array([1, 2, 2]))


def expected(pairings: Pairings, strengths: Floats, games: Floats) -> Floats:
    lead = strengths[:, pairings.first] - strengths[:, pairings.second]
    points: Floats = games / (1 + np.exp(-lead))
    return points


def test_two_differ_by_the_log_of_their_odds() -> None:
    pairing = Pairings(2, np.array([0]), np.array([1]))
    odds = np.array([[1.0], [3.0], [999.0]])
    strengths = fit(pairing, odds, odds + 1)
    assert strengths[:, 0] - strengths[:, 1] == pytest.approx(np.log(odds[:, 0]))
    assert strengths.sum(axis=1) == pytest.approx(0)


@settings(deadline=None)
@given(st.lists(st.integers(1, 999), min_size=3, max_size=3))
def test_everybody_wins_as_much_as_expected(won: list[int]) -> None:
    points, games = np.array([won], dtype=float), np.full((1, 3), 1000.0)
    surplus = (points - expected(TRIANGLE, fit(TRIANGLE, points, games), games))[0]
    assert surplus[0] + surplus[1] == pytest.approx(0, abs=1e-6)
    assert surplus[2] - surplus[0] == pytest.approx(0, abs=1e-6)


def test_what_was_expected_is_found_again() -> None:
    true = np.array([[1.5, 0.0, -1.5], [-0.2, 0.1, 0.1]])
    games = np.full((2, 3), 10.0)
    assert fit(TRIANGLE, expected(TRIANGLE, true, games), games) == pytest.approx(true)


def test_a_prior_keeps_the_unbeaten_finite() -> None:
    pairing = Pairings(2, np.array([0]), np.array([1]))
    prior = Prior(np.zeros((1, 2)), precision=0.5)
    lead = np.array(
        [fit(pairing, np.full((1, 1), n), np.full((1, 1), n), prior)[0, 0] for n in (1.0, 1e6)]
    )
    # n (1 - p) = 0.5 * strength
    assert np.array([1.0, 1e6]) / (1 + np.exp(2 * lead)) == pytest.approx(0.5 * lead)


def test_fits_side_by_side_are_those_alone() -> None:
    points = np.array([[1.0, 5.0, 9.0], [9.0, 5.0, 1.0], [9.5, 9.5, 0.5]])
    games = np.full((3, 3), 10.0)
    alone = [fit(TRIANGLE, points[[case]], games[[case]])[0] for case in range(3)]
    assert fit(TRIANGLE, points, games) == pytest.approx(np.array(alone))
