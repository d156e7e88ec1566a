"""Bradley-Terry: the strengths under which the results are most likely; many fits at once."""

import numpy as np

from runners.statistics.comparisons import Comparisons, Floats, Prior
from runners.statistics.newton import Equations

LONGEST_STEP = 2.0
"""Newton's method overshoots where nearly everything was won; natural units."""
CLOSE_ENOUGH = 1e-4
"""The longest step after which a fit is done: as each step squares the error, what is left is
about 1e-8."""
MOST_STEPS = 100
"""Limits Newton's method, which usually takes three to eight steps; 16 where results are few."""


def fit(
    pairings: Comparisons, points: Floats, games: Floats, prior: Prior, start: Floats | None = None
) -> Floats:
    """Return the strengths of highest posterior density.

    Shape: points (of `first`) and games (fits, pairings); strengths, and where to start looking
    for them (fits, entrants).
    Units: natural: who is stronger by x wins exp(x) times as often.
    Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
    39 (1952); draws as half a win, which is the same likelihood equation; by Newton's method.
    """
    equations = Equations.of(pairings, points, games, prior)
    strengths = np.zeros(prior.won.shape) if start is None else start.copy()
    unfinished = np.arange(len(strengths))
    for _ in range(MOST_STEPS):
        step = equations.step(strengths[unfinished])
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        damping = np.minimum(1, LONGEST_STEP / np.maximum(longest, CLOSE_ENOUGH))
        strengths[unfinished] += damping * step
        is_unfinished = longest[:, 0] >= CLOSE_ENOUGH
        if not is_unfinished.any():
            break
        if not is_unfinished.all():  # a copy costs more than it saves where nothing is left out
            unfinished, equations = unfinished[is_unfinished], equations.chosen(is_unfinished)
    return strengths
