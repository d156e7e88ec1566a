"""Bradley-Terry: the strengths under which the results are most likely; many fits at once."""

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LONGEST_STEP = 2.0
"""Newton's method overshoots where nearly everything was won; natural units."""
CLOSE_ENOUGH = 1e-4
"""The longest step after which a fit is done: as each step squares the error, what is left is
about 1e-8."""
MOST_STEPS = 100
"""Limits Newton's method, which usually takes three to eight steps."""


class Pairings(msgspec.Struct, frozen=True):
    """Who met whom, as indices of entrants; no pairing twice."""

    size: int
    """How many entrants there are."""
    first: NDArray[np.intp]
    second: NDArray[np.intp]


class Prior(msgspec.Struct, frozen=True):
    """Pseudo-results that hold before any match: against an opponent of strength 0.

    They may be fractions of a match, but are above 0. Shape: (fits, entrants).
    """

    won: Floats
    lost: Floats


def fit(
    pairings: Pairings, points: Floats, games: Floats, prior: Prior, start: Floats | None = None
) -> Floats:
    """Return the strengths of highest posterior density.

    Shape: points (of `first`) and games (fits, pairings); strengths, and where to start looking
    for them (fits, entrants).
    Units: natural: who is stronger by x wins exp(x) times as often.
    Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
    39 (1952); draws as half a win, which is the same likelihood equation; by Newton's method.
    """
    strengths = np.zeros(prior.won.shape) if start is None else start.copy()
    met = _square(pairings, games, games)
    won = _square(pairings, points, games - points).sum(axis=2) + prior.won
    pseudo_games = prior.won + prior.lost
    unfinished = np.arange(len(strengths))
    for _ in range(MOST_STEPS):
        step = _newton_step(strengths[unfinished], met, won, pseudo_games)
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        damping = np.minimum(1, LONGEST_STEP / np.maximum(longest, CLOSE_ENOUGH))
        strengths[unfinished] += damping * step
        is_unfinished = longest[:, 0] >= CLOSE_ENOUGH
        if not is_unfinished.any():
            break
        if not is_unfinished.all():  # a copy costs more than it saves where nothing is left out
            unfinished, met, won, pseudo_games = (
                array[is_unfinished] for array in (unfinished, met, won, pseudo_games)
            )
    return strengths


def _square(pairings: Pairings, of_first: Floats, of_second: Floats) -> Floats:
    """Return what each has of each: (fits, pairings) twice -> (fits, entrants, entrants)."""
    square = np.zeros((len(of_first), pairings.size, pairings.size))
    square[:, pairings.first, pairings.second] = of_first
    square[:, pairings.second, pairings.first] = of_second
    return square


def _newton_step(strengths: Floats, met: Floats, won: Floats, pseudo_games: Floats) -> Floats:
    """Return the step to where the gradient would vanish if the curvature stayed as it is.

    Large arrays are overwritten rather than copied, which takes as long as solving does.
    Shape: met (fits, entrants, entrants), the others (fits, entrants).
    """
    odds = np.exp(strengths)
    own = odds / (1 + odds)
    share = odds[:, :, None] + odds[:, None, :]
    np.divide(odds[:, :, None], share, out=share)
    expected = met * share
    gradient = won - expected.sum(axis=2) - pseudo_games * own
    share -= 1
    curvature = np.multiply(expected, share, out=expected)
    diagonal = np.arange(own.shape[1])
    curvature[:, diagonal, diagonal] = pseudo_games * own * (1 - own) - curvature.sum(axis=2)
    # One system after the other, by LU decomposition. The command line keeps OpenBLAS to one
    # thread: several wait for each other where matches keep the cores busy (105 s of CPU time
    # for 200 bots on a busy machine, 2 s with one).
    return np.asarray(np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0])
