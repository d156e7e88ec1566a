"""A sequential test of whether A is better than B, which ends once that is decided.

Confidence sequences are made by betting. Whoever bets on each result that the mean is above m, at
odds that are fair if it is m, wins in the long run only if it is. If it is not, the wealth passes
1 / error in at most the share `error` of all cases, however often one looks (Ville's inequality).
Source: I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by betting,
Journal of the Royal Statistical Society B 86 (2024).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from math import exp, isfinite, log
from typing import NamedTuple

import msgspec
import numpy as np

from engine.errors import BadSettings
from engine.support.wording import pluralize
from runners.statistics.elo import elo_from_share, expected_share
from runners.statistics.likelihood import Floats, log_likelihood

SHARES: Floats = np.linspace(0, 1, 5)
"""What A can take of a side-swapped pair's points: the five outcomes of the pentanomial."""
TIED_OUTCOME = 2
"""The outcome 1:1."""
MIN_REPEATS = 10
"""So many pairs in a row that add nothing end a test, or as many as have added something."""


class Verdict(StrEnum):
    BETTER = "better"
    """A is better by more than elo0."""
    WORSE = "worse"
    """A is not even better by elo0: with the usual 0, it is worse."""
    NO_BETTER = "no better"
    """A is not better by elo1."""
    UNDECIDED = "not decided"


class Pair(NamedTuple):
    """A side-swapped pair of matches."""

    share: float
    """The share of its points that A took."""
    games: tuple[str, ...] = ()
    """The fingerprints of its matches; () of a pair that is like no other."""


class Estimate(msgspec.Struct, frozen=True):
    """A lead in Elo with its 95 % confidence sequence; None where there is no limit."""

    best: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.best is not None:
            return f"{self.best:+.0f} Elo ({_limit(self.low)} to {_limit(self.high)})"
        if self.low is not None:
            return f"at least {self.low:+.0f} Elo"
        return "unknown" if self.high is None else f"at most {self.high:+.0f} Elo"


class Assessment(msgspec.Struct, frozen=True, kw_only=True):
    """What the pairs say so far."""

    verdict: Verdict
    counts: tuple[int, ...]
    """Side-swapped pairs in which A took 0, 1/2, 1, 3/2, 2 points."""
    llr: float
    """Log-likelihood ratio of H1 to H0."""
    lower: float
    """A is not better by elo1 at this ratio."""
    upper: float
    """A is better than by elo0 at this ratio."""
    wealth: tuple[float, float]
    """The logarithms of what bets on A being better, and worse, than by elo0 have made of 1."""
    wealth_limit: float
    """The verdict is better, or worse, at this one."""
    chance: float
    """How likely A is better than by elo0, if that was an even chance before the first pair."""
    elo: Estimate
    """How much better A is. The interval holds at any moment, so one may stop at any."""
    elo0: float
    elo1: float
    games: int
    """Distinct games."""
    repeated: int
    """Pairs of games that were both seen before: they are not counted."""
    is_exhausted: bool
    """Whether they play the same games again and again: more of them add nothing."""

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def has_only_ties(self) -> bool:
        """Return whether every pair ended 1:1."""
        return self.pairs == self.counts[TIED_OUTCOME] > 0

    def describe(self, a: str = "A", b: str = "B") -> str:
        """Return the verdict as a sentence."""
        after = pluralize(self.pairs, "side-swapped pair")
        if self.verdict is Verdict.UNDECIDED:
            same = f"; they play the same {pluralize(self.games, 'game')} again and again"
            undecided = f"not decided after {after}: {a} against {b} {self.elo}"
            return f"{undecided}{same * self.is_exhausted}"
        if self.has_only_ties:
            return f"no difference between {a} and {b}: all {after} ended 1:1"
        return f"{a} is {self._relation.format(b=b)}: {self.elo}, after {after}"

    @property
    def _relation(self) -> str:
        """Return what the verdict says of A."""
        by = f" by {abs(self.elo0):g} Elo" if self.elo0 else ""
        if self.verdict is Verdict.NO_BETTER and self.elo0 >= 0:
            return f"not better than {{b}} by {self.elo1:g} Elo"
        if self.elo0 < 0:
            return f"{'not' if self.verdict is Verdict.BETTER else 'rather'} worse than {{b}}{by}"
        if self.verdict is Verdict.BETTER or self.elo0:
            return f"{'better' if self.verdict is Verdict.BETTER else 'not better'} than {{b}}{by}"
        return "worse than {b}"


class SequentialTest(msgspec.Struct, frozen=True, kw_only=True):
    """H0: A is better than B by elo0; H1: by elo1. Two tests, each with half of the error rates.

    Betting against H0 finds that A is better, or worse, soon where one is much stronger. A
    pentanomial GSPRT is sharper where they are close, and alone can say that A is not better by
    elo1. The pair is what is counted, since its two matches share the luck of their map. Raises
    BadSettings for hypotheses or error rates that make no test.
    Source: runners.statistics.betting; A. Wald, Sequential Analysis (1947), for the bounds; X. Li,
    J. Liu, Z. Ying, Generalized sequential probability ratio test for separate families of
    hypotheses, Sequential Analysis 33 (2014); fishtest's use of it
    (github.com/official-stockfish/fishtest). Wald's bounds are left as they are: a test ends a
    little beyond them, which makes errors rarer than promised, and pairs are too few for a
    correction to be worth its assumptions.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """How often a test may find A better, or worse, although H0 is true."""
    beta: float = 0.05
    """How often a test may find A not better although H1 is true."""

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadSettings(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise BadSettings(f"{name} must be between 0 and 0.5, not {rate:g}")

    @property
    def lower(self) -> float:
        return log(self.beta / 2 / (1 - self.alpha / 2))

    @property
    def upper(self) -> float:
        return log((1 - self.beta / 2) / (self.alpha / 2))

    @property
    def wealth_limit(self) -> float:
        """Return the logarithm of the wealth at which a side has won: each has half of the half."""
        return log(4 / self.alpha)

    def likely_pairs(self, elo: float, most: int) -> int:
        """Return after how many pairs, at most so many, there is a verdict on such a lead in Elo.

        They are independent matches without a draw, won as often as that lead makes likely.
        """
        share = expected_share(elo)
        law = np.array([(1 - share) ** 2, 0, 2 * share * (1 - share), 0, share**2])
        return self.pairs_until_verdict(law, most)

    def pairs_until_verdict(self, counts: Floats | Sequence[int], most: int) -> int:
        """Return the same if outcomes come as often as these, of which there is at least one."""
        law = np.asarray(counts) / np.sum(counts)
        numbers = range(1, most)
        return 1 + bisect_left(
            numbers, True, key=lambda n: self.decide(n * law) is not Verdict.UNDECIDED
        )

    def log_likelihood_ratio(self, counts: Floats) -> Floats:
        """Return the log-likelihood ratio of H1 to H0.

        Shape: counts (..., 5); ratio (...).
        """
        hypotheses = np.array([expected_share(self.elo0), expected_share(self.elo1)])
        of_h0, of_h1 = np.moveaxis(log_likelihood(SHARES, counts[..., None, :], hypotheses), -1, 0)
        return np.asarray(of_h1 - of_h0)

    def log_wealth(self, counts: Floats) -> tuple[Floats, Floats]:
        """Return the logarithms of the wealth of the bets on A better, and worse, than by elo0."""
        mean = expected_share(self.elo0)
        return log_wealth(SHARES, counts, mean), log_wealth_below(SHARES, counts, mean)

    def decide(self, counts: Floats) -> Verdict:
        """Return the verdict on so many pairs of each outcome: that of the test that has one."""
        (verdict,) = self.decide_each(counts[None])
        return verdict

    def decide_each(self, counts: Floats) -> list[Verdict]:
        """Return the verdicts of tests side by side. Shape: counts (tests, 5)."""
        ratio, (better, worse) = self.log_likelihood_ratio(counts), self.log_wealth(counts)
        conditions = [
            (better >= self.wealth_limit) | (ratio >= self.upper),
            worse >= self.wealth_limit,
            ratio <= self.lower,
        ]
        places = np.select(conditions, range(len(conditions)), len(conditions))
        verdicts = tuple(Verdict)
        return [verdicts[index] for index in places.tolist()]

    def run(self, pairs: Iterable[Pair]) -> Assessment:
        """Count pairs in their order until they decide; those after that are not looked at."""
        running = RunningTest(self)
        for pair in pairs:
            running.add(pair)
            if running.is_over:
                break
        return running.assess()


class RunningTest:
    """A test that goes on. A pair of which both games were seen before is no new evidence.

    Two bots that play a few games again and again would otherwise sooner or later be told apart by
    luck that struck once.
    """

    def __init__(self, test: SequentialTest) -> None:
        self._test = test
        self._counts = np.zeros(len(SHARES))
        self._games = set[str]()
        self._repeated = self._in_a_row = 0

    @property
    def verdict(self) -> Verdict:
        return self._test.decide(self._counts)

    @property
    def is_exhausted(self) -> bool:
        """Return whether they play the same games again and again: more of them add nothing."""
        return self._in_a_row >= max(MIN_REPEATS, int(self._counts.sum()))

    @property
    def is_over(self) -> bool:
        return self.is_exhausted or self.verdict is not Verdict.UNDECIDED

    def add(self, pair: Pair) -> None:
        if pair.games and self._games.issuperset(pair.games):
            self._repeated += 1
            self._in_a_row += 1
            return
        self._in_a_row = 0
        self._games.update(pair.games)
        self._counts[round(pair.share * TIED_OUTCOME * 2)] += 1

    @property
    def is_order_known(self) -> bool:
        """Return whether bets alone, alike for both, say who is better, with 95 % confidence."""
        return is_order_known(tuple(int(count) for count in self._counts))

    def assess(self) -> Assessment:
        test, counts = self._test, self._counts
        better, worse = (float(wealth) for wealth in test.log_wealth(counts))
        return Assessment(
            verdict=self.verdict,
            counts=tuple(int(count) for count in counts),
            llr=float(test.log_likelihood_ratio(counts)) if counts.any() else 0.0,
            lower=test.lower,
            upper=test.upper,
            wealth=(better, worse),
            wealth_limit=test.wealth_limit,
            chance=chance_above(SHARES, counts, expected_share(test.elo0)),
            elo=estimate_difference(counts),
            elo0=test.elo0,
            elo1=test.elo1,
            games=len(self._games),
            repeated=self._repeated,
            is_exhausted=self.is_exhausted,
        )


@lru_cache(maxsize=100_000)
def is_order_known(counts: tuple[int, ...]) -> bool:
    """Return whether a bet that A is better, or that B is, has won: past 2 / 0.05.

    Results of tournaments are read again and again; so what they say is remembered.
    """
    seen = np.asarray(counts, dtype=np.float64)
    bets = (log_wealth(SHARES, seen, 0.5), log_wealth_below(SHARES, seen, 0.5))
    return bool(max(bets) > log(2 / 0.05))


def estimate_difference(counts: Floats | Sequence[int]) -> Estimate:
    """Return how much better A is, from the outcomes of side-swapped pairs."""
    seen = np.asarray(counts, dtype=np.float64)
    if not seen.any():
        return Estimate(None, None, None)
    share = float(seen @ SHARES / seen.sum())
    low, high = confidence_interval(SHARES, seen)
    return Estimate(
        best=_none_if_infinite(elo_from_share(share)),
        low=_none_if_infinite(elo_from_share(low)),
        high=_none_if_infinite(elo_from_share(high)),
    )


def _none_if_infinite(elo: float) -> float | None:
    return elo if isfinite(elo) else None


def _limit(elo: float | None) -> str:
    return "no limit" if elo is None else f"{elo:+.0f}"


BET_FRACTIONS = np.linspace(0.02, 1.9, 24) / 2
"""The bets, as parts of the largest that one cannot lose more by than all: at a mean of one half
they are 0.02 to 1.9. The wealth is spread over them evenly, as the best one is not known."""
HALVINGS = 40


def log_wealth(values: Floats, counts: Floats, mean: float) -> Floats:
    """Return the logarithm of the wealth, at first 1, of who bets that the mean is above this one.

    Shape: counts (..., values); wealth (...). 0 < mean < 1.
    """
    gains = np.log(1 + BET_FRACTIONS[:, None] * (values / mean - 1))
    spread: Floats = np.logaddexp.reduce(counts @ gains.T, axis=-1) - log(len(BET_FRACTIONS))
    return spread


def log_wealth_below(values: Floats, counts: Floats, mean: float) -> Floats:
    """Return the same of who bets that the mean is below this one."""
    return log_wealth(1 - values, counts, 1 - mean)


def confidence_interval(values: Floats, counts: Floats, error: float = 0.05) -> tuple[float, float]:
    """Return the means against which neither side has won past 2 / error."""
    return _lowest_mean(values, counts, error), 1 - _lowest_mean(1 - values, counts, error)


def chance_above(values: Floats, counts: Floats, mean: float) -> float:
    """Return how likely the mean is above this one, if before both sides were equally likely."""
    lead = log_wealth(values, counts, mean) - log_wealth_below(values, counts, mean)
    return 1 / (1 + exp(-max(-700.0, min(700.0, float(lead)))))


def _lowest_mean(values: Floats, counts: Floats, error: float) -> float:
    """Return up to which mean who bets on a higher one has won; the wealth falls as it grows."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        mean = (low + high) / 2
        if log_wealth(values, counts, mean) > log(2 / error):
            low = mean
        else:
            high = mean
    return low
