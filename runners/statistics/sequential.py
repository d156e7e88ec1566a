"""A sequential test (SPRT) of whether A is better than B, which ends once that is decided."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import isfinite, log

import msgspec
import numpy as np

from engine.errors import BadSettings
from runners.statistics.elo import elo_from_share, expected_share
from runners.statistics.likelihood import Floats, interval, log_likelihood

SHARES: Floats = np.linspace(0, 1, 5)
"""What A can take of a side-swapped pair's points: the five outcomes of the pentanomial."""
TIED = 2
"""The outcome 1:1."""


class Verdict(StrEnum):
    BETTER = "better"
    """H1 is accepted: A is better by more than elo0."""
    NO_BETTER = "no better"
    """H0 is accepted: A is no better than by elo0."""
    UNDECIDED = "not decided"


class Estimate(msgspec.Struct, frozen=True):
    """A lead in Elo with its 95 % interval; None where there is no limit."""

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
    """Mirrored pairs in which A took 0, 1/2, 1, 3/2, 2 points."""
    llr: float
    """Log-likelihood ratio of H1 to H0."""
    lower: float
    """H0 is accepted at this ratio."""
    upper: float
    """H1 is accepted at this ratio."""
    elo: Estimate
    """How much better A is. A test that ends by what it saw overstates it a little."""
    elo0: float

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def is_tied(self) -> bool:
        """Return whether every pair ended 1:1."""
        return self.pairs == self.counts[TIED] > 0

    def words(self, a: str = "A", b: str = "B") -> str:
        """Return the verdict as a sentence."""
        after = f"{self.pairs} side-swapped pair{'s' * (self.pairs != 1)}"
        if self.verdict is Verdict.UNDECIDED:
            return f"not decided after {after}: {a} against {b} {self.elo}"
        if self.is_tied:
            return f"no difference between {a} and {b}: all {after} ended 1:1"
        relation = _relation(self.elo0, is_accepted=self.verdict is Verdict.BETTER)
        return f"{a} is {relation.format(b=b)}: {self.elo}, after {after}"


class SequentialTest(msgspec.Struct, frozen=True, kw_only=True):
    """H0: A is better than B by elo0; H1: by elo1. A pentanomial GSPRT on side-swapped pairs.

    The pair is what is counted, since its two matches share the luck of their map. Raises
    BadSettings for hypotheses or error rates that make no test.
    Source: A. Wald, Sequential Analysis (1947), for the bounds; X. Li, J. Liu, Z. Ying,
    Generalized sequential probability ratio test for separate families of hypotheses,
    Sequential Analysis 33 (2014); fishtest's use of it (github.com/official-stockfish/fishtest).
    Wald's bounds are left as they are: a test ends a little beyond them, which makes errors
    rarer than promised, and pairs are too few for a correction to be worth its assumptions.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """How often a test may find A better although H0 is true."""
    beta: float = 0.05
    """How often a test may find A no better although H1 is true."""

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadSettings(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise BadSettings(f"{name} must be between 0 and 0.5, not {rate:g}")

    @property
    def lower(self) -> float:
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return log((1 - self.beta) / self.alpha)

    def fewest_pairs(self, most: int) -> int:
        """Return after how many pairs, at most so many, H1 is accepted if A wins every match."""
        won = np.eye(len(SHARES))[-1]

        def ratio(pairs: int) -> float:
            return float(self.ratio(pairs * won))

        return 1 + bisect_left(range(1, most), self.upper, key=ratio)

    def ratio(self, counts: Floats) -> Floats:
        """Return the log-likelihood ratio of H1 to H0.

        Shape: counts (..., 5); ratio (...).
        """
        hypotheses = np.array([expected_share(self.elo0), expected_share(self.elo1)])
        of_h0, of_h1 = np.moveaxis(log_likelihood(SHARES, counts[..., None, :], hypotheses), -1, 0)
        return np.asarray(of_h1 - of_h0)

    def decides(self, ratio: float) -> Verdict:
        if self.lower < ratio < self.upper:
            return Verdict.UNDECIDED
        return Verdict.BETTER if ratio >= self.upper else Verdict.NO_BETTER

    def run(self, shares: Iterable[float]) -> Assessment:
        """Count pairs by the share of the points A took, in order, until they decide.

        Pairs after that are not looked at: a verdict stands.
        """
        counts, ratio = np.zeros(len(SHARES)), 0.0
        for share in shares:
            counts[round(share * TIED * 2)] += 1
            ratio = float(self.ratio(counts))
            if self.decides(ratio) is not Verdict.UNDECIDED:
                break
        return Assessment(
            verdict=self.decides(ratio),
            counts=tuple(int(count) for count in counts),
            llr=ratio,
            lower=self.lower,
            upper=self.upper,
            elo=estimate(counts),
            elo0=self.elo0,
        )


def estimate(counts: Floats | Sequence[int]) -> Estimate:
    """Return how much better A is, from the outcomes of side-swapped pairs."""
    seen = np.asarray(counts, dtype=np.float64)
    if not seen.any():
        return Estimate(None, None, None)
    share = float(seen @ SHARES / seen.sum())
    low, high = interval(SHARES, seen)
    return Estimate(
        best=_finite(elo_from_share(share)),
        low=_finite(elo_from_share(low)),
        high=_finite(elo_from_share(high)),
    )


def _finite(elo: float) -> float | None:
    return elo if isfinite(elo) else None


def _limit(elo: float | None) -> str:
    return "no limit" if elo is None else f"{elo:+.0f}"


def _relation(elo0: float, *, is_accepted: bool) -> str:
    """Return what accepting H1, or H0, says of A."""
    if elo0 < 0:
        return f"{'not' if is_accepted else 'rather'} worse than {{b}} by {-elo0:g} Elo"
    by = f" by {elo0:g} Elo" if elo0 else ""
    return f"{'better' if is_accepted else 'no better'} than {{b}}{by}"
