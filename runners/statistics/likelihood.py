"""How likely a mean is, given results between 0 and 1; nothing else is assumed of them.

Results are counted by their value. Values ascend from 0 to 1, both of which are always among
them; counts have the values along their last axis, and any axes before it are cases apart.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TRACE_COUNT = 0.5
"""How often 0 and 1 count where they never came.

Without it a mean beyond all that was seen would be impossible after the first result. With a
thousandth, tests of two bots who share nearly every pair found the better one no better in 5.7 %
of 2 000 simulated cases (of another 1 000 in 7.7 %), as they took some dozens of level pairs for
all there is; with the half of Jeffreys' prior in 4.4 % (5.1 %).
"""
MAX_STEPS = 100
"""It usually takes five."""
CLOSE_ENOUGH = 1e-10
TILT_LIMIT_FACTOR = 1 - 1e-12
"""How close a tilt may come to the ends of what is possible, where one would divide by zero."""
HALVINGS = 30
LIMIT_95 = 1.920729410347062
"""Half the 95 % point of chi-square with one degree of freedom."""


def log_likelihood(values: Floats, counts: Floats, mean: Floats | float) -> Floats:
    """Return that of the likeliest distribution with this mean; of the likeliest at all, 0.

    Shape: one figure for each case, of counts or of means (0 < mean < 1).
    """
    return _log_ratio(values, _add_traces(counts), mean)


def _log_ratio(
    values: Floats, seen: Floats, mean: Floats | float, weights: Floats | float = 1.0
) -> Floats:
    """Return the log-likelihood of a mean in which each result has its weight.

    Of all distributions with mean m, the results are likeliest under the one that gives the
    value v, seen in a share f of them, the probability f / (1 + t w (v - m)): so say Lagrange's
    multipliers for the two conditions, that probabilities add up to 1 and their mean is m. The
    tilt t solves sum f w (v - m) / (1 + t w (v - m)) = 0, whose left side falls as t grows.
    Source: A. B. Owen, Empirical likelihood ratio confidence intervals for a single functional,
    Biometrika 75 (1988); for sequential tests M. Van den Bergh, The MLE of a multinomial
    distribution with given expectation (github.com/vdbergh/pentanomial, doc).
    """
    away = weights * (values - np.asarray(mean)[..., None])
    tilted = 1 + _find_tilt(seen, away)[..., None] * away
    log_ratio: Floats = -(seen * np.log(tilted)).sum(axis=-1)
    return log_ratio


def log_likelihood_of_one(values: Floats, counts: Floats, mean: float) -> float:
    """Return that of one mean as `interval` judges it.

    Only the trace counts that makes a mean on this side of the results possible: a 0 that never
    came may speak for a lower mean, and says nothing against a higher one.
    """
    end = 0.0 if mean < float(counts @ values / counts.sum()) else 1.0
    return float(_log_ratio(values, _add_trace(values, counts, end), mean))


def mean_interval(
    values: Floats, counts: Floats, weights: Floats | float = 1.0
) -> tuple[float, float]:
    """Return the 95 % interval of the mean: all that the results do not make unlikely.

    It holds the mean of the results, as that is the likeliest (see `log_likelihood_of_one`).
    Shape: counts of one case, and how much each of these results weighs.
    """
    weight = np.broadcast_to(np.asarray(weights, np.float64), counts.shape)
    points = {0.0: counts * weight @ values, 1.0: counts * weight @ (1 - values)}
    ends = [end for end, others in points.items() if others]
    limits = dict(zip(ends, _find_limits(values, counts, weight, ends), strict=True))
    return limits.get(0.0, 0.0), limits.get(1.0, 1.0)


def results_interval(results: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return the same of results one by one, each with its weight; (0, 1) without any."""
    counts = Counter(results)
    if not counts:
        return 0.0, 1.0
    usual = sum(weight * often for (_, weight), often in counts.items()) / counts.total()
    cells = sorted({(0.0, usual), (1.0, usual), *counts})
    values, weights = np.array(cells).T
    return mean_interval(
        values, np.array([counts[cell] for cell in cells], np.float64), weights / usual
    )


def _add_traces(counts: Floats) -> Floats:
    """Return counts with a trace of 0 and of 1 where they never came."""
    seen = counts.astype(np.float64)
    seen[..., [0, -1]] = np.maximum(seen[..., [0, -1]], TRACE_COUNT)
    return seen


def _add_trace(values: Floats, counts: Floats, end: float) -> Floats:
    """Return counts with a trace of this end alone, 0 or 1, if it never came."""
    seen = counts.astype(np.float64)
    if not seen[values == end].any():
        seen[values == end] = TRACE_COUNT / np.count_nonzero(values == end)
    return seen


def _find_tilt(seen: Floats, away: Floats) -> Floats:
    """Find the tilt by Newton's method, between those that put all the weight on 0 or on 1."""
    shape = np.broadcast_shapes(seen.shape, away.shape)[:-1]
    low, high = -TILT_LIMIT_FACTOR / away.max(axis=-1), -TILT_LIMIT_FACTOR / away.min(axis=-1)
    low, high = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
    tilt = np.zeros(shape)
    for _ in range(MAX_STEPS):
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


def _find_limits(
    values: Floats, counts: Floats, weights: Floats, ends: Sequence[float]
) -> list[float]:
    """Return where the results get too unlikely, on the way to each of these ends."""
    seen = np.stack([_add_trace(values, counts, end) for end in ends])
    inside, outside = seen * weights @ values / (seen @ weights), np.array(ends)
    for _ in range(HALVINGS):
        between = (inside + outside) / 2
        is_likely = _log_ratio(values, seen, between, weights) >= -LIMIT_95
        inside = np.where(is_likely, between, inside)
        outside = np.where(is_likely, outside, between)
    limits: list[float] = inside.tolist()
    return limits
