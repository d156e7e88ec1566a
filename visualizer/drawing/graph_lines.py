"""Dashed lines of graphs, and labels beside lines that end close to each other."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

Point = tuple[float, float]


def dashes(line: Sequence[Point], dash: float, gap: float) -> Iterator[tuple[Point, Point]]:
    """Yield the straight pieces of a dashed line; a dash may go around a corner."""
    drawn = 0.0
    for start, stop in pairwise(line):
        length = hypot(stop[0] - start[0], stop[1] - start[1])
        while drawn < length:
            if drawn + dash > 0:
                yield (
                    _at(start, stop, max(0.0, drawn) / length),
                    _at(start, stop, min(length, drawn + dash) / length),
                )
            drawn += dash + gap
        drawn -= length
        if drawn > gap:  # the dash goes on around the corner
            drawn -= dash + gap


def _at(start: Point, stop: Point, share: float) -> Point:
    return (
        start[0] + (stop[0] - start[0]) * share,
        start[1] + (stop[1] - start[1]) * share,
    )


def apart(places: Sequence[float], room: float, low: float, high: float) -> list[float]:
    """Return the middles of labels of a height `room`, moved until none covers another.

    They stay in their order, and between `low` and `high` if all of them fit there.
    """
    order = sorted(range(len(places)), key=lambda label: places[label])
    moved = list(places)
    least = low + room / 2
    for label in order:
        moved[label] = least = max(least, places[label])
        least += room
    most = high - room / 2
    for label in reversed(order):
        moved[label] = most = min(most, moved[label])
        most -= room
    return moved
