"""Bradley-Terry: the strengths under which results are most likely, by Newton's method."""

from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.comparisons import Comparisons, Floats, Prior, Sides

MAX_STEP = 2.0
"""Newton's method overshoots where nearly everything was won; natural units."""
CLOSE_ENOUGH = 1e-4
"""The longest step after which a fit is done: as each step squares the error, what is left is
about 1e-8."""
MAX_STEPS = 100
"""Limits Newton's method, which usually takes three to eight steps; 16 where results are few."""
GRADIENT_PRECISION = 1e-4
"""The part of the gradient that a step may leave: after one below 1e-4 what is left is about 1e-8,
and ratings are those of exact steps within 0.000001 Elo."""
MAX_SOLVER_ITERATIONS = 1_000
"""Limits conjugate gradients, which usually take 10 to 40 rounds."""


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
    equations = Equations.from_pairings(pairings, points, games, prior)
    strengths = np.zeros(prior.won.shape) if start is None else start.copy()
    unfinished = np.arange(len(strengths))
    for _ in range(MAX_STEPS):
        step = equations.step(strengths[unfinished])
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        damping = np.minimum(1, MAX_STEP / np.maximum(longest, CLOSE_ENOUGH))
        strengths[unfinished] += damping * step
        is_unfinished = longest[:, 0] >= CLOSE_ENOUGH
        if not is_unfinished.any():
            break
        if not is_unfinished.all():  # a copy costs more than it saves where nothing is left out
            unfinished, equations = unfinished[is_unfinished], equations.select(is_unfinished)
    return strengths


class Curvature(msgspec.Struct, frozen=True):
    """The matrix of a step: how much a stronger entrant would win more than it did."""

    sides: Sides
    weights: Floats
    """What it has between two that met, with its sign changed. Shape: (sides, fits)."""
    diagonal: Floats
    """Shape: (entrants, fits)."""

    def multiply(self, vectors: Floats, scratch: Floats) -> Floats:
        """Return its product with a vector for each fit; scratch is as large as weights."""
        np.take(vectors, self.sides.other, axis=0, out=scratch, mode="clip")
        scratch *= self.weights
        product: Floats = self.diagonal * vectors
        product -= self.sides.sum_by_entrant(scratch)
        return product

    def solve(self, wanted: Floats) -> Floats:
        """Return what times this matrix is wanted, nearly.

        Source: M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear
        systems, Journal of Research of the National Bureau of Standards 49 (1952);
        preconditioned by the diagonal. The prior makes the matrix positive definite.
        """
        scratch = np.empty_like(self.weights)
        found, remaining = np.zeros_like(wanted), wanted.copy()
        direction = remaining / self.diagonal
        size = _row_dot(remaining, direction)
        enough = GRADIENT_PRECISION**2 * size
        for _ in range(MAX_SOLVER_ITERATIONS):
            is_open = size > enough
            if not is_open.any():
                break
            product = self.multiply(direction, scratch)
            length = _safe_ratio(size, _row_dot(direction, product), is_open)
            found += length * direction
            remaining -= np.multiply(length, product, out=product)
            scaled = np.divide(remaining, self.diagonal, out=product)
            former, size = size, np.where(is_open, _row_dot(remaining, scaled), size)
            direction *= _safe_ratio(size, former, is_open)
            direction += scaled
        return found


class Equations(msgspec.Struct, frozen=True):
    """The likelihood equations of some fits: everybody wins as much as expected."""

    sides: Sides
    met: Floats
    """Matches. Shape: (sides, fits)."""
    won: Floats
    """The points of each, those of the prior among them. Shape: (entrants, fits)."""
    pseudo_games: Floats
    """Shape: (entrants, fits)."""

    @classmethod
    def from_pairings(
        cls, pairings: Comparisons, points: Floats, games: Floats, prior: Prior
    ) -> Self:
        """Shape: points (of `first`) and games (fits, pairings)."""
        sides = Sides.from_pairings(pairings)
        met, of_first = games.T[sides.pairing], points.T[sides.pairing]
        won = sides.sum_by_entrant(np.where(sides.is_second[:, None], met - of_first, of_first))
        return cls(
            sides=sides,
            met=met,
            won=won + prior.won.T[sides.order],
            pseudo_games=(prior.won + prior.lost).T[sides.order],
        )

    def select(self, fits: NDArray[np.bool]) -> Self:
        """Return the equations of these fits alone."""
        columns = (array[:, fits] for array in (self.met, self.won, self.pseudo_games))
        return type(self)(self.sides, *columns)

    def step(self, strengths: Floats) -> Floats:
        """Return the step to where the gradient would vanish if the curvature stayed as it is.

        Shape: (fits, entrants), as what is fitted has it.
        """
        strength = strengths.T[self.sides.order]
        share = strength[self.sides.own] - strength[self.sides.other]
        _to_share(share)
        expected = self.met * share
        own = _to_share(strength)
        gradient = self.won - self.sides.sum_by_entrant(expected) - self.pseudo_games * own
        weights = np.multiply(expected, np.subtract(1, share, out=share), out=expected)
        diagonal = self.sides.sum_by_entrant(weights) + self.pseudo_games * own * (1 - own)
        step = np.empty_like(strengths)
        step[:, self.sides.order] = Curvature(self.sides, weights, diagonal).solve(gradient).T
        return step


def _to_share(leads: Floats) -> Floats:
    """Overwrite leads with the shares of points that they give, and return these."""
    np.exp(np.negative(leads, out=leads), out=leads)
    leads += 1
    return np.divide(1, leads, out=leads)


def _row_dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", one, other))


def _safe_ratio(one: Floats, other: Floats, is_open: NDArray[np.bool]) -> Floats:
    """Return one / other of each fit, and 0 of those that are solved."""
    return np.divide(one, other, out=np.zeros_like(one), where=is_open)
