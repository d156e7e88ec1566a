"""What strengths are fitted to: pairings, of whose results there may be many sets at once."""

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The results of each fit."""

    pairings: Pairings
    points: Floats
    """The points of the first of each pairing. Shape: (fits, pairings)."""
    games: Floats
    """The matches of each pairing. Shape: (fits, pairings)."""
    prior: Prior
