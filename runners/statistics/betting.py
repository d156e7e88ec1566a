"""Confidence sequences by betting: what results between 0 and 1 say of their mean, at any moment.

Whoever bets on each result that the mean is above m, at odds that are fair if it is m, wins in the
long run only if it is. If it is not, the wealth passes 1 / error in at most the share `error` of
all cases, however often one looks (Ville's inequality).
Source: I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by betting,
Journal of the Royal Statistical Society B 86 (2024).
"""

from math import exp, log

import numpy as np

from runners.statistics.likelihood import Floats

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
