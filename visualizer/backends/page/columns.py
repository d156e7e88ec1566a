"""Columns of whole numbers, packed into few bytes."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

BITS = 7
"""How many bits of a number a byte holds; the eighth says that more bytes follow (LEB128)."""


class Columns(dict[str, list[int]]):
    """Lists of whole numbers, by name."""

    def packed(self) -> tuple[dict[str, int], bytes]:
        """Return how many bytes each column takes, and the bytes, one column after the other."""
        parts = {name: varints(numbers) for name, numbers in self.items()}
        return {name: len(part) for name, part in parts.items()}, b"".join(parts.values())


def differences(numbers: Iterable[int]) -> list[int]:
    """Return the differences from each number to the next, the first one from 0."""
    steps: list[int] = np.diff(np.fromiter(numbers, np.int64), prepend=0).tolist()
    return steps


def varints(numbers: Sequence[int]) -> bytes:
    """Return numbers as bytes: zigzag (the sign lowest), seven bits a byte, the lowest first."""
    signed = np.asarray(numbers, np.int64)
    rest = ((signed << 1) ^ (signed >> 63)).astype(np.uint64)
    lengths = _lengths(rest)
    ends = np.cumsum(lengths)
    packed = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    places = ends - lengths
    while len(rest):
        goes_on = lengths > 1
        packed[places] = (rest & np.uint64(127)).astype(np.uint8) | (goes_on << BITS)
        rest, lengths, places = rest[goes_on] >> np.uint64(BITS), lengths[goes_on], places[goes_on]
        lengths, places = lengths - 1, places + 1
    return packed.tobytes()


def _lengths(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return the length of each number, in bytes."""
    lengths = np.ones(len(numbers), np.int64)
    rest = numbers >> np.uint64(BITS)
    while rest.any():
        lengths += rest > 0
        rest >>= np.uint64(BITS)
    return lengths
