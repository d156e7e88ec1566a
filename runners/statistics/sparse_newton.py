"""Steps of Newton's method by pairings: the quicker ones in a large field of whom few met.

Arrays have a column for each fit, so that what is gathered for an entrant lies side by side.
"""

from collections.abc import Iterator
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


class Block(msgspec.Struct, frozen=True):
    """Entrants who met equally many others."""

    entrants: slice
    sides: slice
    """First one side of each of these entrants, then another one of each, and so on."""
    met: int
    """How many others each of them met."""


class Meetings(msgspec.Struct, frozen=True, kw_only=True):
    """Each pairing from both sides, of entrants in the order of how many others they met.

    Thus the sums of all entrants of a block are a few sums of long rows.
    """

    order: NDArray[np.intp]
    """The entrants in this order: what stands at their places everywhere below."""
    pairing: NDArray[np.intp]
    """The pairing of each side."""
    own: NDArray[np.intp]
    """The place of the entrant whose side it is."""
    other: NDArray[np.intp]
    is_second: NDArray[np.bool]
    """Whether that entrant is the second of the pairing."""
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, pairings: Pairings) -> Self:
        own = np.concatenate([pairings.first, pairings.second])
        other = np.concatenate([pairings.second, pairings.first])
        met = np.bincount(own, minlength=pairings.size)
        order = np.argsort(met, kind="stable")
        places = np.argsort(order, kind="stable")
        sides = np.lexsort((places[own], _numbered(own), met[own]))
        return cls(
            order=order,
            pairing=sides % len(pairings.first),
            own=places[own][sides],
            other=places[other][sides],
            is_second=sides >= len(pairings.first),
            blocks=tuple(_blocks(met[order])),
        )

    def sums(self, values: Floats) -> Floats:
        """Return the sum of each entrant's sides: (sides, fits) -> (entrants, fits).

        They are added in the same order on every machine, which a product of matrices does not
        promise.
        """
        sums = np.zeros((len(self.order), values.shape[1]))
        for block in self.blocks:
            rows = values[block.sides].reshape(block.met, -1)
            np.add.reduce(rows, axis=0, out=sums[block.entrants].reshape(-1))
        return sums


def _numbered(own: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return of each side how many sides the same entrant has before it."""
    by_entrant = np.argsort(own, kind="stable")
    is_new = np.diff(own[by_entrant], prepend=-1) != 0
    starts = np.maximum.accumulate(np.where(is_new, np.arange(len(own)), 0))
    numbers = np.empty_like(own)
    numbers[by_entrant] = np.arange(len(own)) - starts
    return numbers


def _blocks(met: NDArray[np.intp]) -> Iterator[Block]:
    """Yield those of entrants who met so many others each, in ascending order."""
    entrant = side = 0
    for others, count in zip(*np.unique(met, return_counts=True), strict=True):
        entrants = slice(entrant, entrant + int(count))
        sides = slice(side, side + int(others * count))
        if others:
            yield Block(entrants, sides, int(others))
        entrant, side = entrants.stop, sides.stop


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
        meetings, prior = Meetings.of(results.pairings), results.prior
        met, points = results.games.T[meetings.pairing], results.points.T[meetings.pairing]
        points = np.where(meetings.is_second[:, None], met - points, points)
        won = meetings.sums(points) + prior.won.T[meetings.order]
        return cls(meetings, met, won, (prior.won + prior.lost).T[meetings.order])

    def chosen(self, fits: NDArray[np.bool]) -> Self:
        """Return the equations of these fits alone."""
        columns = (array[:, fits] for array in (self.met, self.won, self.pseudo_games))
        return type(self)(self.meetings, *columns)

    def step(self, strengths: Floats) -> Floats:
        """Return the step to where the gradient would vanish if the curvature stayed as it is.

        Shape: (fits, entrants), as what is fitted has it.
        """
        strength = strengths.T[self.meetings.order]
        share = strength[self.meetings.own] - strength[self.meetings.other]
        _to_share(share)
        expected = self.met * share
        own = _to_share(strength)
        gradient = self.won - self.meetings.sums(expected) - self.pseudo_games * own
        weights = np.multiply(expected, np.subtract(1, share, out=share), out=expected)
        diagonal = self.meetings.sums(weights) + self.pseudo_games * own * (1 - own)
        step = np.empty_like(strengths)
        step[:, self.meetings.order] = Curvature(self.meetings, weights, diagonal).solve(gradient).T
        return step


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
