"""How likely a mean is, given results between 0 and 1; nothing else is assumed of them.

Results are counted by their value. Values ascend from 0 to 1, both of which are always among
them; counts have the values along their last axis, and any axes before it are cases apart.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TRACE = 0.5
"""How often 0 and 1 count where they never came.

Without it a mean beyond all that was seen would be impossible after the first result. With a
thousandth, tests of two bots who share nearly every pair found the better one no better in 5.7 %
of 2 000 simulated cases (of another 1 000 in 7.7 %), as they took some dozens of level pairs for
all there is; with the half of Jeffreys' prior in 4.4 % (5.1 %).
"""
MOST_STEPS = 100
"""It usually takes five."""
CLOSE_ENOUGH = 1e-10
INSIDE = 1 - 1e-12
"""At the ends of what is possible one would divide by zero."""
HALVINGS = 30
LIMIT_95 = 1.920729410347062
"""Half the 95 % point of chi-square with one degree of freedom."""


def log_likelihood(values: Floats, counts: Floats, mean: Floats | float) -> Floats:
    """Of the likeliest distribution with this mean (0 < mean < 1); of the likeliest at all, 0.

    Shape: one figure for each case, of counts or of means.

    Of all distributions with mean m, the results are likeliest under the one that gives the
    value v, seen in a share f of them, the probability f / (1 + t (v - m)): so say Lagrange's
    multipliers for the two conditions, that probabilities add up to 1 and their mean is m. The
    tilt t solves sum f (v - m) / (1 + t (v - m)) = 0, whose left side falls as t grows.
    Source: A. B. Owen, Empirical likelihood ratio confidence intervals for a single functional,
    Biometrika 75 (1988); for sequential tests M. Van den Bergh, The MLE of a multinomial
    distribution with given expectation (github.com/vdbergh/pentanomial, doc).
    """
    seen = with_traces(counts)
    away = values - np.asarray(mean)[..., None]
    tilted = 1 + _tilt(seen, away)[..., None] * away
    log_ratio: Floats = -(seen * np.log(tilted)).sum(axis=-1)
    return log_ratio


def interval(values: Floats, counts: Floats) -> tuple[float, float]:
    """The 95 % interval of the mean: all that the results do not make unlikely.

    Shape: counts of one case.
    """
    seen = with_traces(counts)
    middle = float(seen @ values / seen.sum())
    return _limits(values, seen, middle)


def interval_of(results: Iterable[float]) -> tuple[float, float]:
    """The same of results one by one; (0, 1) without any."""
    counts = Counter(results)
    if not counts:
        return 0.0, 1.0
    values = sorted({0.0, 1.0, *counts})
    return interval(np.array(values), np.array([counts[value] for value in values], np.float64))


def with_traces(counts: Floats) -> Floats:
    seen = counts.astype(np.float64)
    seen[..., [0, -1]] = np.maximum(seen[..., [0, -1]], TRACE)
    return seen


def _tilt(seen: Floats, away: Floats) -> Floats:
    """By Newton's method, between the tilts that would put all the weight on 0 or on 1."""
    shape = np.broadcast_shapes(seen.shape, away.shape)[:-1]
    low, high = np.full(shape, -INSIDE / away[..., -1]), np.full(shape, -INSIDE / away[..., 0])
    tilt = np.zeros(shape)
    for _ in range(MOST_STEPS):
        pull = away / (1 + tilt[..., None] * away)
        slope, fall = (seen * pull).sum(axis=-1), (seen * pull**2).sum(axis=-1)
        low, high = np.where(slope > 0, tilt, low), np.where(slope > 0, high, tilt)
        newton = tilt + slope / fall
        # Where that leads out of what is still possible, halve the possible instead.
        is_possible = (low <= newton) & (newton <= high)
        step = np.where(is_possible, newton, (low + high) / 2) - tilt
        tilt = tilt + step
        if np.all(np.abs(step) < CLOSE_ENOUGH):
            break
    return tilt


def _limits(values: Floats, seen: Floats, middle: float) -> tuple[float, float]:
    """Where the results get too unlikely, on the way to 0 and on the way to 1."""
    inside, outside = np.full(2, middle), np.array([0.0, 1.0])
    for _ in range(HALVINGS):
        between = (inside + outside) / 2
        is_likely = log_likelihood(values, seen, between) >= -LIMIT_95
        inside, outside = (
            np.where(is_likely, between, inside),
            np.where(is_likely, outside, between),
        )
    return float(inside[0]), float(inside[1])
