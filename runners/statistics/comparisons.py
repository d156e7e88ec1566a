"""Who met whom, and what is supposed of everybody: what strengths are fitted to."""

from collections.abc import Iterator
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Comparisons(msgspec.Struct, frozen=True):
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


class Block(msgspec.Struct, frozen=True):
    """Entrants who met equally many others."""

    entrants: slice
    sides: slice
    """First one side of each of these entrants, then another one of each, and so on."""
    met: int
    """How many others each of them met."""


class Sides(msgspec.Struct, frozen=True, kw_only=True):
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
    def from_pairings(cls, pairings: Comparisons) -> Self:
        """Sort both sides of all pairings."""
        own = np.concatenate([pairings.first, pairings.second])
        other = np.concatenate([pairings.second, pairings.first])
        met = np.bincount(own, minlength=pairings.size)
        order = np.argsort(met, kind="stable")
        places = np.argsort(order, kind="stable")
        sides = np.lexsort((places[own], _occurrence_numbers(own), met[own]))
        return cls(
            order=order,
            pairing=sides % len(pairings.first),
            own=places[own][sides],
            other=places[other][sides],
            is_second=sides >= len(pairings.first),
            blocks=tuple(_blocks_by_count(met[order])),
        )

    def sum_by_entrant(self, values: Floats) -> Floats:
        """Return the sum of each entrant's sides: (sides, fits) -> (entrants, fits).

        They are added in the same order whatever the machine does besides, which OpenBLAS does not
        promise of a product of matrices.
        """
        sums = np.zeros((len(self.order), values.shape[1]))
        for block in self.blocks:
            rows = values[block.sides].reshape(block.met, -1)
            np.add.reduce(rows, axis=0, out=sums[block.entrants].reshape(-1))
        return sums


def _occurrence_numbers(own: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return of each side how many sides the same entrant has before it."""
    by_entrant = np.argsort(own, kind="stable")
    is_new = np.diff(own[by_entrant], prepend=-1) != 0
    starts = np.maximum.accumulate(np.where(is_new, np.arange(len(own)), 0))
    numbers = np.empty_like(own)
    numbers[by_entrant] = np.arange(len(own)) - starts
    return numbers


def _blocks_by_count(met: NDArray[np.intp]) -> Iterator[Block]:
    """Yield the blocks of entrants who met so many others each; these numbers ascend."""
    entrant = side = 0
    for others, count in zip(*np.unique(met, return_counts=True), strict=True):
        entrants = slice(entrant, entrant + int(count))
        sides = slice(side, side + int(others * count))
        if others:
            yield Block(entrants, sides, int(others))
        entrant, side = entrants.stop, sides.stop
