"""Whole numbers as few bytes: differences, and lengths that follow the numbers."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

BITS_PER_BYTE = 7


def compute_differences(numbers: Iterable[int]) -> list[int]:
    """Return the differences from each number to the next, the first one from 0."""
    steps: list[int] = np.diff(np.fromiter(numbers, np.int64), prepend=0).tolist()
    return steps


def encode_varints(numbers: Sequence[int]) -> bytes:
    """Return numbers as bytes: zigzag (the sign lowest), seven bits a byte, the lowest first."""
    signed = np.asarray(numbers, np.int64)
    rest = ((signed << 1) ^ (signed >> 63)).astype(np.uint64)
    lengths = _lengths(rest)
    ends = np.cumsum(lengths)
    packed = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    places = ends - lengths
    while len(rest):
        goes_on = lengths > 1
        packed[places] = (rest & np.uint64(127)).astype(np.uint8) | (goes_on << BITS_PER_BYTE)
        rest, lengths, places = (
            rest[goes_on] >> np.uint64(BITS_PER_BYTE),
            lengths[goes_on],
            places[goes_on],
        )
        lengths, places = lengths - 1, places + 1
    return packed.tobytes()


def _lengths(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return the length of each number, in bytes."""
    lengths = np.ones(len(numbers), np.int64)
    rest = numbers >> np.uint64(BITS_PER_BYTE)
    while rest.any():
        lengths += rest > 0
        rest >>= np.uint64(BITS_PER_BYTE)
    return lengths
