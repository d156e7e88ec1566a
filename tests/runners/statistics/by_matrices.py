"""Bradley-Terry as a textbook has it: whole matrices, one fit after the other, exact steps."""

import numpy as np

from runners.statistics.comparisons import Comparisons, Floats, Prior

NEAR_ENOUGH = 1e-10
LONGEST_STEP = 2.0


def fit_by_matrices(
    pairings: Comparisons, points: Floats, games: Floats, prior: Prior, start: Floats | None = None
) -> Floats:
    """Return what `bradley_terry.fit` does, in the cube of the number of entrants."""
    fits = zip(points, games, prior.won, prior.lost, strict=True)
    del start  # a step from afar leads to the same maximum
    return np.array([_fit(pairings, *one) for one in fits]).reshape(prior.won.shape)


def _fit(pairings: Comparisons, points: Floats, games: Floats, won: Floats, lost: Floats) -> Floats:
    beaten = np.zeros((pairings.size, pairings.size))
    beaten[pairings.first, pairings.second] = points
    beaten[pairings.second, pairings.first] = games - points
    met, strengths = beaten + beaten.T, np.zeros(pairings.size)
    while True:
        share = 1 / (1 + np.exp(strengths - strengths[:, None]))
        own = 1 / (1 + np.exp(-strengths))
        gradient = (beaten - met * share).sum(axis=1) + won - (won + lost) * own
        curvature = -met * share * (1 - share)
        curvature += np.diag((won + lost) * own * (1 - own) - curvature.sum(axis=1))
        step = np.linalg.solve(curvature, gradient)
        longest = np.abs(step).max()
        strengths += step * min(1, LONGEST_STEP / longest) if longest else 0
        if longest < NEAR_ENOUGH:
            return strengths
