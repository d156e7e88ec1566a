"""Bradley-Terry: the strengths under which the results are most likely; many fits at once."""

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LONGEST_STEP = 2.0
"""Newton's method overshoots where nearly everything was won; natural units."""
CLOSE_ENOUGH = 1e-6
"""Of a step; as each step squares the error, what is left after it is far smaller."""
MOST_STEPS = 100
"""It usually takes four to eight."""
ACCURACY = 1e-7
"""Of a step, as a part of it."""
TINY = 1e-300
"""Instead of a division by zero."""


class Pairings(msgspec.Struct, frozen=True):
    """Who met whom: places in the field of so many; no pairing twice."""

    size: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]


class Prior(msgspec.Struct, frozen=True):
    """What is held to be true of strengths before any result: normal laws of one width."""

    centre: Floats
    """Shape: (fits, entrants); the mean of each row is 0."""
    precision: float
    """One over the variance, natural units."""


def fit(pairings: Pairings, points: Floats, games: Floats, prior: Prior | None = None) -> Floats:
    """The strengths of highest likelihood (with a prior: of highest posterior density).

    Shape: points (of `first`) and games (fits, pairings); strengths (fits, entrants).
    Units: natural: who is stronger by x wins exp(x) times as often; the mean of a fit is 0.
    Without a prior everybody must be linked to everybody by points taken, else there is no
    highest likelihood (see comparability.py).
    Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
    39 (1952); draws as half a win, which is the same likelihood equation; by Newton's method.
    """
    shape = len(points), pairings.size
    centre, precision = (np.zeros(shape), 0.0) if prior is None else (prior.centre, prior.precision)
    strengths = centre.copy()
    for _ in range(MOST_STEPS):
        expected = _logistic(strengths[:, pairings.first] - strengths[:, pairings.second])
        surplus = _per_entrant(pairings, points - games * expected)
        slope = surplus + precision * (centre - strengths)
        curvature = _curvature(pairings, games * expected * (1 - expected), precision)
        step = _solved(curvature, slope)
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        strengths += step * np.minimum(1, LONGEST_STEP / np.maximum(longest, CLOSE_ENOUGH))
        if longest.max(initial=0.0) < CLOSE_ENOUGH:
            break
    return strengths


def _logistic(lead: Floats) -> Floats:
    return 1 / (1 + np.exp(-lead))


def _per_entrant(pairings: Pairings, of_first: Floats) -> Floats:
    """Sums over everybody's pairings; what `first` has too much, `second` has too little."""
    fits = len(of_first)
    rows = np.arange(fits)[:, None] * pairings.size
    total = np.zeros(fits * pairings.size)
    for sign, side in ((1, pairings.first), (-1, pairings.second)):
        at = (rows + side).ravel()
        total += sign * np.bincount(at, weights=of_first.ravel(), minlength=total.size)
    return total.reshape(fits, pairings.size)


def _curvature(pairings: Pairings, information: Floats, precision: float) -> Floats:
    """Minus the second derivatives of the log-likelihood: (fits, entrants, entrants).

    Results tell only differences, so that all strengths could move together; the constant
    term holds their mean where it is, and changes nothing else.
    """
    size = pairings.size
    matrix = np.zeros((len(information), size, size))
    matrix[:, pairings.first, pairings.second] = -information
    matrix[:, pairings.second, pairings.first] = -information
    own = np.arange(size)
    matrix[:, own, own] = precision - matrix.sum(axis=2)
    return matrix + 1 / size


def _solved(matrices: Floats, right: Floats) -> Floats:
    """Linear systems side by side, by conjugate gradients with the diagonals as preconditioner.

    Each converges within some ten rounds, as most have met many. numpy's own solver starts
    threads, which wait for each other where matches keep the cores busy: the ratings of 200
    bots took 105 s of CPU time with it on a busy machine, and take 5 s with this.
    Source: J. R. Shewchuk, An introduction to the conjugate gradient method without the
    agonizing pain (1994), B3.
    """
    diagonal = np.einsum("fii->fi", matrices)
    solution, rest = np.zeros_like(right), right.copy()
    direction = rest / diagonal
    energy = np.einsum("fi,fi->f", rest, direction)
    goal = energy * ACCURACY**2
    for _ in range(MOST_STEPS + right.shape[1]):
        if np.all(energy <= goal):
            break
        image = np.einsum("fij,fj->fi", matrices, direction)
        length = energy / np.maximum(np.einsum("fi,fi->f", direction, image), TINY)
        solution += length[:, None] * direction
        rest -= length[:, None] * image
        scaled = rest / diagonal
        before, energy = energy, np.einsum("fi,fi->f", rest, scaled)
        direction = scaled + (energy / np.maximum(before, TINY))[:, None] * direction
    return solution
