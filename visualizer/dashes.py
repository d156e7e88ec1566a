"""Broken lines: what is drawn of a line through points."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

Point = tuple[float, float]


def dashes(line: Sequence[Point], dash: float, gap: float) -> Iterator[tuple[Point, Point]]:
    """Straight pieces: along the line, so much is drawn and so much is left out, in turns."""
    gone = 0.0
    for start, stop in pairwise(line):
        length = hypot(stop[0] - start[0], stop[1] - start[1])
        while gone < length:
            if gone + dash > 0:
                yield (
                    _at(start, stop, max(0.0, gone) / length),
                    _at(start, stop, min(length, gone + dash) / length),
                )
            gone += dash + gap
        gone -= length
        if gone > gap:  # the dash goes on around the corner
            gone -= dash + gap


def _at(start: Point, stop: Point, share: float) -> Point:
    return (
        start[0] + (stop[0] - start[0]) * share,
        start[1] + (stop[1] - start[1]) * share,
    )
