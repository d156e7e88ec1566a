"""Mirrored sets, and tournaments whose true strengths are known."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp

import numpy as np

from runners.statistics.scores import Score, SideSwappedSet

EVEN, WON, LOST = (0.5, 0.5), (1.0, 1.0), (0.0, 0.0)


def a_pair(
    one: int, other: int, points: tuple[float, float] = EVEN, seed: int = 0
) -> SideSwappedSet:
    """A side-swapped pair: the points of `one`, first as team 1, then as team 2."""
    first, second = points
    return SideSwappedSet(
        seed, (Score((one, other), (first, 1 - first)), Score((other, one), (1 - second, second)))
    )


def pairs(
    one: int, other: int, *, won: int = 0, even: int = 0, lost: int = 0
) -> list[SideSwappedSet]:
    """Make so many side-swapped pairs, each won, shared or lost as a whole by `one`."""
    return [
        *[a_pair(one, other, WON)] * won,
        *[a_pair(one, other, (1.0, 0.0))] * even,
        *[a_pair(one, other, LOST)] * lost,
    ]


def round_robin(
    strengths: Sequence[float], games: int, chance: np.random.Generator
) -> Iterator[SideSwappedSet]:
    """Make so many side-swapped pairs of everybody with everybody.

    `strengths`: natural units. A third of the even matches is drawn, and three matches of ten
    are decided by the map in both directions of the pair.
    """
    for one, other in combinations(range(len(strengths)), 2):
        share = 1 / (1 + exp(strengths[other] - strengths[one]))
        drawn = share * (1 - share) * 2 / 3
        for seed in range(games):
            dice = chance.random(2)
            dice[1] = dice[0] if chance.random() < 0.3 else dice[1]
            first, second = (_point(float(die), share, drawn) for die in dice)
            yield a_pair(one, other, (first, second), seed)


def _point(die: float, share: float, drawn: float) -> float:
    won = share - drawn / 2
    return 1.0 if die < won else 0.5 if die < won + drawn else 0.0
