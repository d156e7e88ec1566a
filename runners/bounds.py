"""Bounds for those who never dropped a point, or never took one."""

from collections import defaultdict
from collections.abc import Mapping
from math import log

import numpy as np

from runners.bradley_terry import Floats
from runners.meetings import Pair, Total

ABOVE, BELOW = 1, -1
"""Who won all, and who lost all: each is the other, seen from the other end of the scale."""
CHANCE = 0.025
"""A bound lies where the clean score is just so probable: the end of a 95 % interval."""
WIDEST = 40.0
"""Natural units (some 7000 Elo): no bound is farther than that from all it is measured by."""
HALVINGS = 60

Opponents = Mapping[int, Mapping[int, int]]
"""Of entrants: whom they met, and in how many sets."""
Strengths = Mapping[int, float]
"""Of entrants. Units: natural (see bradley_terry.py)."""


def bounds(opponents: Opponents, group: Strengths, known: Strengths, end: int) -> Strengths:
    """How strong each of a group is at least (end ABOVE), or at most (BELOW).

    `group`: how strong they are beside each other. They met some of the `known`, and all of
    those matches went one way; so the group is put, as a whole, as near to them as it can be.
    A mirrored set counts as one trial: its matches may all have been won by the same luck.
    """
    trials = [
        (own - known[other], sets)
        for who, own in group.items()
        for other, sets in opponents[who].items()
        if other in known
    ]
    leads, sets = np.array(trials).T
    shift = _least_shift(end * leads, sets)
    return {who: strength + end * shift for who, strength in group.items()}


def opponents_of(totals: Mapping[Pair, Total]) -> Opponents:
    opponents: dict[int, dict[int, int]] = defaultdict(dict)
    for (one, other), total in totals.items():
        opponents[one][other] = opponents[other][one] = total.sets
    return opponents


def _least_shift(leads: Floats, sets: Floats) -> float:
    """With how much more lead winning them all has the probability CHANCE."""
    low, high = -WIDEST - leads.max(), WIDEST - leads.min()
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        # log(1 / (1 + exp(-lead))) for each set
        is_enough = -(sets * np.logaddexp(0, -leads - middle)).sum() >= log(CHANCE)
        low, high = (low, middle) if is_enough else (middle, high)
    return float(high)
