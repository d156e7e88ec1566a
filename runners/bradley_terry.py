"""Bradley-Terry: the strengths under which the results are most likely; many fits at once."""

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LONGEST_STEP = 2.0
"""Newton's method overshoots where nearly everything was won; natural units."""
CLOSE_ENOUGH = 1e-4
"""Of a step; as each step squares the error, what is left after it is far smaller."""
MOST_STEPS = 100
"""It usually takes three to eight."""
ACCURACY = 1e-3
"""Of a step, as a part of it."""
TINY = 1e-300
"""Instead of a division by zero."""


class Pairings(msgspec.Struct, frozen=True):
    """Who met whom: places in the field of so many; no pairing twice."""

    size: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]


class Prior(msgspec.Struct, frozen=True):
    """What is held to be true before any result: matches with somebody of strength 0.

    They need not be whole ones; more than none were won, and lost. Shape: (fits, entrants).
    """

    won: Floats
    lost: Floats


def fit(
    pairings: Pairings, points: Floats, games: Floats, prior: Prior, start: Floats | None = None
) -> Floats:
    """The strengths of highest posterior density.

    Shape: points (of `first`) and games (fits, pairings); strengths, and where to start looking
    for them (fits, entrants).
    Units: natural: who is stronger by x wins exp(x) times as often.
    Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
    39 (1952); draws as half a win, which is the same likelihood equation; by Newton's method.
    """
    strengths = np.zeros(prior.won.shape) if start is None else start.copy()
    met = _square(pairings, games, games)
    surplus = _square(pairings, points, games - points).sum(axis=2) + prior.won
    of_prior = prior.won + prior.lost
    for _ in range(MOST_STEPS):
        odds = np.exp(strengths)
        expected, own = odds[:, :, None] / (odds[:, :, None] + odds[:, None, :]), odds / (1 + odds)
        taken = met * expected
        slope = surplus - taken.sum(axis=2) - of_prior * own
        step = _solved(_curvature(taken * (1 - expected), of_prior * own * (1 - own)), slope)
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        strengths += step * np.minimum(1, LONGEST_STEP / np.maximum(longest, CLOSE_ENOUGH))
        if longest.max(initial=0.0) < CLOSE_ENOUGH:
            break
    return strengths


def _square(pairings: Pairings, of_first: Floats, of_second: Floats) -> Floats:
    """What each has of each: (fits, pairings) twice -> (fits, entrants, entrants)."""
    square = np.zeros((len(of_first), pairings.size, pairings.size))
    square[:, pairings.first, pairings.second] = of_first
    square[:, pairings.second, pairings.first] = of_second
    return square


def _curvature(between: Floats, own: Floats) -> Floats:
    """Minus the second derivatives: (fits, entrants, entrants).

    `between` is the information that entrants have of each other, `own` that of the prior.
    """
    diagonal = np.arange(own.shape[1])
    matrix = -between
    matrix[:, diagonal, diagonal] = own + between.sum(axis=2)
    return matrix


def _solved(matrices: Floats, right: Floats) -> Floats:
    """Linear systems side by side, by conjugate gradients with the diagonals as preconditioner.

    Each converges within some ten rounds, as most have met many. numpy's own solver starts
    threads, which wait for each other where matches keep the cores busy: the ratings of 200
    bots took 105 s of CPU time with it on a busy machine, and take 2 s with this.
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
