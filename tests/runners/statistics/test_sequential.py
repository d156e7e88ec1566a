"""The sequential test: worked figures, and its errors in simulated tests."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadSettings
from runners.statistics.elo import expected_share
from runners.statistics.likelihood import Floats
from runners.statistics.sequential import (
    SHARES,
    Estimate,
    SequentialTest,
    Verdict,
    estimate,
)
from tests.examples import at_length

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
    assert float(test.ratio(np.array(counts))) == pytest.approx(llr, abs=0.005)


def test_where_maps_decide_nothing_it_is_the_binomial_ratio() -> None:
    # Every pair is won or lost as a whole.
    s0, s1 = expected_share(0), expected_share(20)
    expected = 60 * log(s1 / s0) + 40 * log((1 - s1) / (1 - s0))
    counts = np.array([40, 0, 0, 0, 60])
    assert float(SequentialTest().ratio(counts)) == pytest.approx(expected)


def test_the_bounds_are_walds() -> None:
    test = SequentialTest(alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == (log(0.1 / 0.95), log(0.9 / 0.05))


def test_a_bot_against_itself_makes_no_difference() -> None:
    found = SequentialTest().run([0.5] * 1_000)
    assert found.verdict is Verdict.NO_BETTER
    assert found.pairs < 100
    assert found.elo.best == 0
    assert found.words("me", "you") == (
        f"no difference between me and you: all {found.pairs} side-swapped pairs ended 1:1"
    )


def test_who_wins_everything_is_better() -> None:
    found = SequentialTest().run([1.0] * 1_000)
    assert found.verdict is Verdict.BETTER
    assert found.pairs < 100
    assert (found.elo.best, found.elo.high) == (None, None)
    assert found.elo.low is not None
    assert found.elo.low > 200
    assert found.words().startswith("A is better than B: at least +")


def test_who_loses_everything_is_no_better() -> None:
    found = SequentialTest().run([0.0] * 1_000)
    assert found.verdict is Verdict.NO_BETTER
    assert found.words().startswith("A is no better than B: at most -")


def test_without_pairs_nothing_is_decided() -> None:
    found = SequentialTest().run([])
    assert (found.verdict, found.llr, found.pairs) == (Verdict.UNDECIDED, 0.0, 0)
    assert found.elo == Estimate(None, None, None)
    assert found.words() == "not decided after 0 side-swapped pairs: A against B unknown"


def test_pairs_after_the_verdict_are_not_looked_at() -> None:
    decided = SequentialTest().run([1.0] * 1_000)
    assert SequentialTest().run([1.0] * decided.pairs + [0.0] * 500) == decided


@pytest.mark.parametrize(
    ("elo0", "elo1", "shares", "words"),
    [
        (0, 20, [0.75] * 300, "A is better than B: "),
        (5, 20, [0.75] * 300, "A is better than B by 5 Elo: "),
        (5, 20, [0.25] * 300, "A is no better than B by 5 Elo: "),
        (-20, 0, [0.75] * 300, "A is not worse than B by 20 Elo: "),
        (-20, 0, [0.25] * 300, "A is rather worse than B by 20 Elo: "),
    ],
)
def test_the_verdict_says_what_was_asked(
    elo0: float, elo1: float, shares: list[float], words: str
) -> None:
    assert SequentialTest(elo0=elo0, elo1=elo1).run(shares).words().startswith(words)


@pytest.mark.parametrize(
    "wrong", [{"elo0": 20.0, "elo1": 20.0}, {"alpha": 0.0}, {"beta": 0.5}, {"elo1": float("inf")}]
)
def test_hypotheses_that_make_no_test_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadSettings):
        SequentialTest(**wrong)


@settings(deadline=None)
@given(st.lists(st.sampled_from(SHARES.tolist()), max_size=60))
def test_it_never_fails(shares: list[float]) -> None:
    found = SequentialTest().run(shares)
    assert np.isfinite(found.llr)
    low, best, high = found.elo.low, found.elo.best, found.elo.high
    assert low is None or best is None or low <= best + 1e-6
    assert high is None or best is None or best <= high + 1e-6


def test_the_estimate_is_that_of_the_share() -> None:
    found = estimate((10, 20, 40, 20, 10))
    assert found.best == pytest.approx(0)
    assert found.low == pytest.approx(-(found.high or 0))
    assert str(found) == f"+0 Elo ({found.low:+.0f} to {found.high:+.0f})"


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
    for elo, wrong in ((test.elo0, Verdict.BETTER), (test.elo1, Verdict.NO_BETTER)):
        outcomes = tilted(SHAPES[shape], expected_share(elo))
        verdicts = simulated(test, outcomes, np.random.default_rng(1))
        assert verdicts.count(wrong) / TESTS <= MOST_ERRORS


def tilted(shape: tuple[float, ...], mean: float) -> Floats:
    """The nearest law with this mean: each outcome weighted by exp(tilt * share)."""
    low, high = -50.0, 50.0
    for _ in range(60):
        tilt = (low + high) / 2
        law = np.array(shape) * np.exp(tilt * SHARES)
        law /= law.sum()
        low, high = (tilt, high) if law @ SHARES < mean else (low, tilt)
    return law


def simulated(test: SequentialTest, law: Floats, chance: np.random.Generator) -> list[Verdict]:
    """The verdicts of tests that run side by side, pair by pair, until all are decided."""
    verdicts: list[Verdict] = []
    counts = np.zeros((TESTS, len(SHARES)))
    while len(counts):
        drawn = chance.choice(len(SHARES), size=len(counts), p=law)
        counts[np.arange(len(counts)), drawn] += 1
        so_far = [test.decides(ratio) for ratio in test.ratio(counts).tolist()]
        verdicts += [verdict for verdict in so_far if verdict is not Verdict.UNDECIDED]
        counts = counts[[verdict is Verdict.UNDECIDED for verdict in so_far]]
    return verdicts


@pytest.mark.parametrize(
    "test", [SequentialTest(), SequentialTest(elo0=-3, elo1=0), SequentialTest(elo1=400)]
)
def test_the_fewest_pairs_are_those_of_whoever_wins_every_match(test: SequentialTest) -> None:
    fewest = test.fewest_pairs(10_000)
    assert test.fewest_pairs(fewest - 1) == fewest - 1
    assert test.run([1.0] * 10_000).pairs == fewest
    assert test.run([1.0] * (fewest - 1)).verdict is Verdict.UNDECIDED
