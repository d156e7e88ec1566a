"""Steps of Newton's method by pairings: the quicker ones in a large field of whom few met.

Arrays have a column for each fit, so that what is gathered for an entrant lies side by side.
"""

from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.pairings import Floats, Pairings, Results

PRECISION = 1e-4
"""The part of the gradient that a step may leave: after one below 1e-4 what is left is about 1e-8,
and ratings are those of exact steps within 0.000001 Elo."""
MOST_ROUNDS = 1_000
"""Limits conjugate gradients, which usually take 10 to 40 rounds."""


class Meetings(msgspec.Struct, frozen=True, kw_only=True):
    """Each pairing from both sides, sorted by the entrant whose side it is."""

    size: int
    """How many entrants there are."""
    pairing: NDArray[np.intp]
    own: NDArray[np.intp]
    """The entrant whose side it is."""
    other: NDArray[np.intp]
    starts: NDArray[np.intp]
    """Where the sides of each entrant begin who met somebody."""

    @classmethod
    def of(cls, pairings: Pairings) -> Self:
        own = np.concatenate([pairings.first, pairings.second])
        other = np.concatenate([pairings.second, pairings.first])
        order = np.argsort(own, kind="stable")
        return cls(
            size=pairings.size,
            pairing=order % len(pairings.first),
            own=own[order],
            other=other[order],
            starts=np.flatnonzero(np.diff(own[order], prepend=-1)),
        )

    def sums(self, values: Floats) -> Floats:
        """Return the sum of each entrant's sides: (sides, fits) -> (entrants, fits).

        Summed in this order on every machine, which a product of matrices is not.
        """
        sums = np.zeros((self.size, values.shape[1]))
        sums[self.own[self.starts]] = np.add.reduceat(values, self.starts, axis=0)
        return sums


class Curvature(msgspec.Struct, frozen=True):
    """The matrix of a step: how much a stronger entrant would win more than it did."""

    meetings: Meetings
    weights: Floats
    """What it has between two that met, with its sign changed. Shape: (sides, fits)."""
    diagonal: Floats
    """Shape: (entrants, fits)."""

    def times(self, vectors: Floats, scratch: Floats) -> Floats:
        """Return its product with a vector for each fit; scratch is as large as weights."""
        np.take(vectors, self.meetings.other, axis=0, out=scratch, mode="clip")
        scratch *= self.weights
        product: Floats = self.diagonal * vectors
        product -= self.meetings.sums(scratch)
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
        size = _dot(remaining, direction)
        enough = PRECISION**2 * size
        for _ in range(MOST_ROUNDS):
            is_open = size > enough
            if not is_open.any():
                break
            product = self.times(direction, scratch)
            length = _ratio(size, _dot(direction, product), is_open)
            found += length * direction
            remaining -= np.multiply(length, product, out=product)
            scaled = np.divide(remaining, self.diagonal, out=product)
            former, size = size, np.where(is_open, _dot(remaining, scaled), size)
            direction *= _ratio(size, former, is_open)
            direction += scaled
        return found


class SparseNewton(msgspec.Struct, frozen=True):
    """The likelihood equations of some fits."""

    meetings: Meetings
    met: Floats
    """Matches. Shape: (sides, fits)."""
    won: Floats
    """The points of each, those of the prior among them. Shape: (entrants, fits)."""
    pseudo_games: Floats
    """Shape: (entrants, fits)."""

    @classmethod
    def of(cls, results: Results) -> Self:
        pairings, prior = results.pairings, results.prior
        meetings = Meetings.of(pairings)
        met = np.ascontiguousarray(results.games.T)[meetings.pairing]
        points = np.ascontiguousarray(results.points.T)[meetings.pairing]
        is_second = meetings.own == pairings.second[meetings.pairing]
        points[is_second] = met[is_second] - points[is_second]
        won = meetings.sums(points) + prior.won.T
        return cls(meetings, met, won, np.ascontiguousarray((prior.won + prior.lost).T))

    def chosen(self, fits: NDArray[np.bool]) -> Self:
        """Return the equations of these fits alone."""
        columns = (array[:, fits] for array in (self.met, self.won, self.pseudo_games))
        return type(self)(self.meetings, *columns)

    def step(self, strengths: Floats) -> Floats:
        """Return the step to where the gradient would vanish if the curvature stayed as it is.

        Shape: (fits, entrants), as what is fitted has it.
        """
        strength = np.ascontiguousarray(strengths.T)
        share = strength[self.meetings.own] - strength[self.meetings.other]
        _to_share(share)
        expected = self.met * share
        own = _to_share(strength)
        gradient = self.won - self.meetings.sums(expected) - self.pseudo_games * own
        weights = np.multiply(expected, np.subtract(1, share, out=share), out=expected)
        diagonal = self.meetings.sums(weights) + self.pseudo_games * own * (1 - own)
        return Curvature(self.meetings, weights, diagonal).solve(gradient).T


def _to_share(leads: Floats) -> Floats:
    """Overwrite leads with the shares of points that they give, and return these."""
    np.exp(np.negative(leads, out=leads), out=leads)
    leads += 1
    return np.divide(1, leads, out=leads)


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", one, other))


def _ratio(one: Floats, other: Floats, is_open: NDArray[np.bool]) -> Floats:
    """Return one / other of each fit, and 0 of those that are solved."""
    return np.divide(one, other, out=np.zeros_like(one), where=is_open)
