"""Chance in an attack (docs/rules/smac.md 5.10): sampling it, and its exact distribution."""

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import accumulate

from engine.games.smac.settings import ChanceModel
from engine.streams import Stream

MAX_MAGNITUDE = 20
"""The largest magnitude of `halving` (rules 5.10)."""
# A normal distribution of deviation 2.5, rounded to whole numbers: parts per million of 0, 1, 2,
# ... Written out, because math.erf may differ in the last digit between machines.
NORMAL = (158_520, 146_487, 115_598, 77_899, 44_826, 22_027, 9_242, 3_311, 1_013, 265, 59, 11, 2)
MILLION = 1_000_000


def draw_halving(stream: Stream) -> int:
    """Draw 0 in a third of all cases; else 1, 2, 3, ... each half as likely as the one before."""
    random = stream.random
    sign = stream.below(3)
    if not sign:
        return 0
    magnitude = 1
    while magnitude < MAX_MAGNITUDE and random() < 0.5:
        magnitude += 1
    return magnitude if sign == 1 else -magnitude


def draw_normal(stream: Stream) -> int:
    value = bisect_right(_NORMAL_UP_TO, stream.below(MILLION))
    return value - len(NORMAL) + 1


_NORMAL_PARTS = (*NORMAL[:0:-1], *NORMAL)
_NORMAL_UP_TO = tuple(accumulate(_NORMAL_PARTS))

SAMPLERS: dict[ChanceModel, Callable[[Stream], int]] = {
    ChanceModel.HALVING: draw_halving,
    ChanceModel.NORMAL: draw_normal,
}


def distribution(model: ChanceModel) -> dict[int, Fraction]:
    """Return the probability of each value."""
    if model is ChanceModel.NORMAL:
        lowest = 1 - len(NORMAL)
        return {lowest + i: Fraction(part, MILLION) for i, part in enumerate(_NORMAL_PARTS)}
    third = Fraction(1, 3)
    values = {0: third}
    for magnitude in range(1, MAX_MAGNITUDE + 1):
        # The last one holds what larger ones would have had.
        share = third / 2 ** (magnitude if magnitude < MAX_MAGNITUDE else MAX_MAGNITUDE - 1)
        values[magnitude] = values[-magnitude] = share
    return values


@cache
def hit_probability(margin: int, model: ChanceModel) -> Fraction:
    """Return the probability of a hit whose value without chance exceeds D by `margin` (5.7)."""
    return sum(
        (share for value, share in distribution(model).items() if value + margin > 0),
        start=Fraction(),
    )
