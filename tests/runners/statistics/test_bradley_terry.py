"""Fits are compared with closed forms, the likelihood equations and stored strengths."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.statistics.comparisons import Comparisons, Floats, Prior
from runners.statistics.resampling import fit
from tests.runners.statistics.by_matrices import fit_by_matrices

TRIANGLE = Comparisons(3, np.array([0, 0, 1]), np.array([1, 2, 2]))
KNOWN_FITS = Path(__file__).with_name("bradley_terry_fits.json")
"""Results of random pairings (entrant, entrant, points of the first, games), and strengths."""


def drawn(games: float, *shape: int) -> Prior:
    """Make so many matches of everybody against an average one, all drawn."""
    return Prior(np.full(shape, games / 2), np.full(shape, games / 2))


MANY = 1e6
"""Matches, beside which a draw against an average bot is next to nothing."""


def expected(pairings: Comparisons, strengths: Floats, games: Floats) -> Floats:
    lead = strengths[:, pairings.first] - strengths[:, pairings.second]
    points: Floats = games / (1 + np.exp(-lead))
    return points


def test_two_differ_by_the_log_of_their_odds() -> None:
    pairing = Comparisons(2, np.array([0]), np.array([1]))
    odds = np.array([[1.0], [3.0], [999.0]])
    strengths = fit(pairing, MANY * odds, MANY * (odds + 1), drawn(1, 3, 2))
    assert strengths[:, 0] - strengths[:, 1] == pytest.approx(np.log(odds[:, 0]), abs=1e-5)
    assert strengths.sum(axis=1) == pytest.approx(0, abs=1e-5)


@settings(deadline=None)
@given(st.lists(st.integers(1, 999), min_size=3, max_size=3))
def test_everybody_wins_as_much_as_expected(won: list[int]) -> None:
    points, games = np.array([won], dtype=float), np.full((1, 3), 1000.0)
    strengths = fit(TRIANGLE, points, games, drawn(1, 1, 3))[0]
    surplus = (points - expected(TRIANGLE, strengths[None], games))[0]
    of_draw = 0.5 - 1 / (1 + np.exp(-strengths))
    assert surplus[0] + surplus[1] + of_draw[0] == pytest.approx(0, abs=1e-4)
    assert surplus[2] - surplus[0] + of_draw[1] == pytest.approx(0, abs=1e-4)
    assert -surplus[1] - surplus[2] + of_draw[2] == pytest.approx(0, abs=1e-4)


def test_what_was_expected_is_found_again() -> None:
    true = np.array([[1.5, 0.0, -1.5], [-0.2, 0.1, 0.1]])
    games = np.full((2, 3), MANY)
    found = fit(TRIANGLE, expected(TRIANGLE, true, games), games, drawn(1, 2, 3))
    assert found - found.mean(axis=1, keepdims=True) == pytest.approx(true, abs=1e-5)


def test_a_draw_against_an_average_bot_keeps_the_unbeaten_finite() -> None:
    pairing = Comparisons(2, np.array([0]), np.array([1]))
    for games in (1.0, 1e6):
        won = np.full((1, 1), games)
        better, worse = fit(pairing, won, won, drawn(1, 1, 2))[0]
        assert better == pytest.approx(-worse)
        # What it won of all matches and of that draw is what was to be expected.
        assert games / (1 + np.exp(worse - better)) + 1 / (1 + np.exp(-better)) == pytest.approx(
            games + 0.5
        )


def test_a_good_start_saves_steps_and_changes_nothing() -> None:
    points, games = np.array([[1.0, 5.0, 9.0]]), np.full((1, 3), 10.0)
    start = np.array([[3.0, -1.0, -2.0]])
    far, near = (fit(TRIANGLE, points, games, drawn(1, 1, 3), at) for at in (start, None))
    assert far == pytest.approx(near, abs=1e-6)
    assert start.tolist() == [[3.0, -1.0, -2.0]]


def test_fits_side_by_side_are_those_alone() -> None:
    points = np.array([[1.0, 5.0, 9.0], [9.0, 5.0, 1.0], [9.5, 9.5, 0.5]])
    games = np.full((3, 3), 10.0)
    alone = [fit(TRIANGLE, points[[case]], games[[case]], drawn(1, 1, 3))[0] for case in range(3)]
    assert fit(TRIANGLE, points, games, drawn(1, 3, 3)) == pytest.approx(np.array(alone))


def _entrants(known: dict[str, list[float]]) -> str:
    return f"{len(known['strengths'])} entrants"


@pytest.mark.parametrize("known", json.loads(KNOWN_FITS.read_text()), ids=_entrants)
def test_strengths_are_those_of_conjugate_gradients(known: dict[str, list[list[int]]]) -> None:
    """They were stored when the equations of Newton's method were solved in that way."""
    first, second, points, games = np.array(known["results"]).T
    strengths = np.array(known["strengths"])
    found = fit(
        Comparisons(len(strengths), first, second),
        points[None].astype(float),
        games[None].astype(float),
        drawn(0.5, 1, len(strengths)),
    )
    assert found[0] == pytest.approx(strengths, abs=2e-8, rel=0)


ELO = 400 / np.log(10)
FIELDS = {
    "a star": [(0, other) for other in range(1, 40)],
    "a chain": [(one, one + 1) for one in range(39)],
    "everybody met everybody": [(one, other) for other in range(40) for one in range(other)],
    "islands": [(one, other) for other in range(40) for one in range(other % 8, other, 8)],
    "two of forty met": [(3, 17)],
}


@pytest.mark.parametrize("met", FIELDS.values(), ids=FIELDS)
def test_strengths_are_those_of_whole_matrices(met: list[tuple[int, int]]) -> None:
    """Priors are as small, and results as lopsided, as rounds of a bootstrap draw them."""
    chance, (first, second) = np.random.default_rng(1), np.array(met).T
    games = 2 * chance.poisson(1, (20, len(met))).astype(np.float64)
    points = chance.binomial(games.astype(int), chance.random(len(met)) ** 2).astype(float)
    prior = Prior(*chance.exponential(0.25, (2, 20, 40)))
    pairings = Comparisons(40, first, second)
    quick = fit(pairings, points, games, prior)
    assert ELO * quick == pytest.approx(
        ELO * fit_by_matrices(pairings, points, games, prior), abs=0.001, rel=0
    )


Found = dict[tuple[int, int], tuple[float, float]]
"""The points of the first, and the games, of those who met."""


@st.composite
def results(draw: st.DrawFn) -> tuple[int, Found]:
    """Draw a number of entrants, and results of some of them."""
    size = draw(st.integers(2, 8))
    met = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(
        lambda pair: pair[0] < pair[1]
    )
    games = st.integers(1, 20).flatmap(lambda n: st.tuples(st.integers(0, 2 * n), st.just(n)))
    found = draw(st.dictionaries(met, games, min_size=1))
    return size, {pair: (halves / 2, float(n)) for pair, (halves, n) in found.items()}


def fitted(size: int, found: Found) -> Floats:
    first, second = np.array(list(found)).T
    points, games = np.array(list(found.values())).T
    strengths = fit(
        Comparisons(size, first, second), points[None], games[None], drawn(0.5, 1, size)
    )
    return strengths.ravel()


@settings(deadline=None)
@given(results(), st.randoms())
def test_who_is_called_something_else_is_as_strong(played: tuple[int, Found], dice: Random) -> None:
    size, found = played
    names = list(range(size))
    dice.shuffle(names)
    renamed = {(names[one], names[other]): result for (one, other), result in found.items()}
    assert fitted(size, renamed)[names] == pytest.approx(fitted(size, found), abs=1e-6)


@settings(deadline=None)
@given(results())
def test_turned_results_turn_strengths(played: tuple[int, Found]) -> None:
    size, found = played
    turned = {pair: (games - points, games) for pair, (points, games) in found.items()}
    assert fitted(size, turned) == pytest.approx(-fitted(size, found), abs=1e-6)


@settings(deadline=None)
@given(results(), results())
def test_islands_are_as_strong_as_alone(one: tuple[int, Found], other: tuple[int, Found]) -> None:
    (size, found), (more, others) = one, other
    apart = {(first + size, second + size): result for (first, second), result in others.items()}
    alone = np.concatenate([fitted(size, found), fitted(more, others)])
    assert fitted(size + more, found | apart) == pytest.approx(alone, abs=1e-6)


@settings(deadline=None)
@given(results())
def test_where_all_is_drawn_all_are_average(played: tuple[int, Found]) -> None:
    size, found = played
    level = {pair: (games / 2, games) for pair, (_, games) in found.items()}
    assert fitted(size, level).tolist() == [0.0] * size


def test_a_single_match_parts_two_as_far_as_the_prior_lets_it() -> None:
    better, worse, absent = fitted(3, {(0, 1): (1.0, 1.0)})
    assert better == pytest.approx(-worse)
    assert 1 / (1 + np.exp(worse - better)) + 0.5 / (1 + np.exp(-better)) == pytest.approx(1.25)
    assert absent == 0
