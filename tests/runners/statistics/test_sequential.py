"""The sequential test: worked figures, its errors in simulated tests, and its evidence."""

from collections.abc import Iterable
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.audits.verdicts import pair_law, simulate
from engine.errors import BadSettings
from runners.statistics.elo import expected_share
from runners.statistics.likelihood import Floats
from runners.statistics.sequential import (
    MIN_REPEATS,
    SHARES,
    Assessment,
    Estimate,
    Pair,
    SequentialTest,
    Verdict,
    estimate_difference,
)
from tests.examples import at_length


def run(shares: Iterable[float], **options: float) -> Assessment:
    """Return what pairs say of which none repeats another."""
    return SequentialTest(**options).run(map(Pair, shares))


# fastchess, app/tests/sprt_test.cpp, the cases "logistic pentanomial 1" and "2".
PUBLISHED = [
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), PUBLISHED)
def test_the_ratio_is_that_of_others(
    counts: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    test = SequentialTest(elo0=elo0, elo1=elo1)
    assert float(test.log_likelihood_ratio(np.array(counts))) == pytest.approx(llr, abs=0.005)


def test_where_maps_decide_nothing_it_is_the_binomial_ratio() -> None:
    # Every pair is won or lost as a whole.
    s0, s1 = expected_share(0), expected_share(20)
    expected = 60 * log(s1 / s0) + 40 * log((1 - s1) / (1 - s0))
    counts = np.array([40, 0, 0, 0, 60])
    assert float(SequentialTest().log_likelihood_ratio(counts)) == pytest.approx(expected)


def test_each_of_the_two_tests_has_half_of_the_error() -> None:
    test = SequentialTest(alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == (log(0.05 / 0.975), log(0.95 / 0.025))
    assert test.wealth_limit == log(2 / 0.025)


def test_a_bot_against_itself_makes_no_difference() -> None:
    found = run([0.5] * 1_000)
    assert found.verdict is Verdict.NO_BETTER
    assert found.pairs < 120
    assert found.elo.best == 0
    assert found.describe("me", "you") == (
        f"no difference between me and you: all {found.pairs} side-swapped pairs ended 1:1"
    )


def test_who_wins_everything_is_better_after_nine_pairs() -> None:
    found = run([1.0] * 1_000)
    assert (found.verdict, found.pairs) == (Verdict.BETTER, 9)
    assert found.describe() == "A is better than B: at least +38 Elo, after 9 side-swapped pairs"
    assert found.chance > 0.99


def test_who_loses_everything_is_worse_after_nine_pairs() -> None:
    found = run([0.0] * 1_000)
    assert (found.verdict, found.pairs) == (Verdict.WORSE, 9)
    assert found.describe() == "A is worse than B: at most -38 Elo, after 9 side-swapped pairs"
    assert found.chance < 0.01


def test_without_pairs_nothing_is_decided() -> None:
    found = run([])
    assert (found.verdict, found.llr, found.pairs) == (Verdict.UNDECIDED, 0.0, 0)
    assert (found.chance, found.elo) == (0.5, Estimate(None, None, None))
    assert found.describe() == "not decided after 0 side-swapped pairs: A against B unknown"


def test_pairs_after_the_verdict_are_not_looked_at() -> None:
    decided = run([1.0] * 1_000)
    assert run([1.0] * decided.pairs + [0.0] * 500) == decided


@pytest.mark.parametrize(
    ("elo0", "elo1", "shares", "text"),
    [
        (0, 20, [0.75] * 300, "A is better than B: "),
        (0, 20, [0.25] * 300, "A is worse than B: "),
        (0, 20, [0.25, 0.5, 0.75] * 300, "A is not better than B by 20 Elo: "),
        (5, 20, [0.75] * 300, "A is better than B by 5 Elo: "),
        (5, 20, [0.25] * 300, "A is not better than B by 5 Elo: "),
        (-20, 0, [0.75] * 300, "A is not worse than B by 20 Elo: "),
        (-20, 0, [0.25] * 300, "A is rather worse than B by 20 Elo: "),
        (0, 400, [0.5, 0.75] * 4, "A is not better than B by 400 Elo: "),
    ],
)
def test_the_verdict_says_what_was_asked(
    elo0: float, elo1: float, shares: list[float], text: str
) -> None:
    assert run(shares, elo0=elo0, elo1=elo1).describe().startswith(text)


@pytest.mark.parametrize(
    "wrong", [{"elo0": 20.0, "elo1": 20.0}, {"alpha": 0.0}, {"beta": 0.5}, {"elo1": float("inf")}]
)
def test_hypotheses_that_make_no_test_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadSettings):
        SequentialTest(**wrong)


@settings(deadline=None)
@given(st.lists(st.sampled_from(SHARES.tolist()), max_size=60))
def test_it_never_fails(shares: list[float]) -> None:
    found = run(shares)
    assert np.isfinite(found.llr)
    low, best, high = found.elo.low, found.elo.best, found.elo.high
    assert low is None or best is None or low <= best + 1e-6
    assert high is None or best is None or best <= high + 1e-6


def test_the_estimate_is_that_of_the_share() -> None:
    found = estimate_difference((10, 20, 40, 20, 10))
    assert found.best == pytest.approx(0)
    assert found.low == pytest.approx(-(found.high or 0))
    assert str(found) == f"+0 Elo ({found.low:+.0f} to {found.high:+.0f})"


def test_a_pair_whose_games_were_both_seen_is_no_new_evidence() -> None:
    won = [Pair(1.0, ("a", "b")), Pair(1.0, ("b", "a")), Pair(1.0, ("b", "b"))]
    found = SequentialTest().run([*won, Pair(0.0, ("a", "c"))])
    assert (found.counts, found.games, found.repeated) == ((1, 0, 0, 0, 1), 3, 2)
    assert (found.verdict, found.is_exhausted) == (Verdict.UNDECIDED, False)


def test_who_plays_the_same_games_again_and_again_is_told_so_and_plays_no_more() -> None:
    pair = Pair(1.0, ("a", "b"))
    found = SequentialTest().run([pair] * 1_000)
    assert (found.pairs, found.repeated, found.is_exhausted) == (1, MIN_REPEATS, True)
    assert found.describe("me", "you") == (
        "not decided after 1 side-swapped pair: me against you at least -764 Elo; "
        "they play the same 2 games again and again"
    )


def test_whoever_has_played_much_may_repeat_as_much() -> None:
    often = [Pair(number % 2, (str(number),)) for number in range(40)]
    repeats = SequentialTest().run(often + often)
    assert (repeats.pairs, repeats.repeated, repeats.is_exhausted) == (40, 40, True)
    assert not SequentialTest().run(often + often[:39]).is_exhausted


# How a pair ends where both are equal: the shape that is tilted to other strengths.
SHAPES = {
    "balanced": (0.1, 0.2, 0.4, 0.2, 0.1),
    "decisive": (0.25, 0.0, 0.5, 0.0, 0.25),
    "drawish": (0.01, 0.1, 0.78, 0.1, 0.01),
    "hardly anything but 1:1": (0.03, 0.0, 0.94, 0.0, 0.03),
    "the better one wins both": (0.45, 0.02, 0.06, 0.02, 0.45),
}
TESTS = at_length(600, else_=200)
MOST_ERRORS = 0.05 + 2 * sqrt(0.05 * 0.95 / TESTS)
"""5 %, and two standard errors of so many tests."""


@pytest.mark.variants(1, all=2)
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("shape", SHAPES)
def test_errors_are_as_rare_as_promised(shape: str) -> None:
    test = SequentialTest()
    wrong = {test.elo0: (Verdict.BETTER, Verdict.WORSE), test.elo1: (Verdict.NO_BETTER,)}
    for elo, verdicts in wrong.items():
        law = tilted(SHAPES[shape], expected_share(elo))
        found = simulate(test, law, TESTS, most=100_000, seed=1)
        assert sum(map(found.rate, verdicts)) <= MOST_ERRORS


def tilted(shape: tuple[float, ...], mean: float) -> Floats:
    """The nearest law with this mean: each outcome weighted by exp(tilt * share)."""
    low, high = -50.0, 50.0
    for _ in range(60):
        tilt = (low + high) / 2
        law = np.array(shape) * np.exp(tilt * SHARES)
        law /= law.sum()
        low, high = (tilt, high) if law @ SHARES < mean else (low, tilt)
    return law


@pytest.mark.parametrize(("elo", "mean"), [(400, 11), (100, 69)])
def test_clear_differences_end_early(elo: float, mean: int) -> None:
    found = simulate(SequentialTest(), pair_law(elo, draws=0), tests=100, most=400, seed=1)
    assert found.rate(Verdict.BETTER) == 1
    assert found.pairs.mean() == pytest.approx(mean, rel=0.15)


def test_the_likely_pairs_are_those_of_simulated_tests() -> None:
    test = SequentialTest()
    likely = [test.likely_pairs(elo, 10_000) for elo in (float("inf"), 400, 100)]
    assert likely == [9, 11, 72]
    assert test.likely_pairs(100, 65) == 65
    assert run([1.0] * 8).verdict is Verdict.UNDECIDED
