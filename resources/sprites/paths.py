"""Paths: lines of points, so close together that they look like curves."""

from collections.abc import Iterable
from itertools import pairwise
from math import cos, radians, sin, tau

STEPS = 16
"""Straight pieces between two points of a curve."""
MIDDLE = 128
"""The x coordinate of the mirror axis."""

Point = tuple[float, float]
Path = list[Point]


def curve(*points: Point) -> Path:
    """Return a smooth line through the points. Source: Catmull and Rom 1974."""
    return [*_smooth([points[0], *points, points[-1]]), points[-1]]


def loop(*points: Point) -> Path:
    """Return a smooth closed line through the points."""
    return _smooth([points[-1], *points, *points[:2]])


def oval(x: float, y: float, width: float, height: float | None = None, tilt: float = 0) -> Path:
    """Return an ellipse by its half axes, tilted clockwise by degrees; by one alone, a circle."""
    height = width if height is None else height
    angles = [tau * step / (6 * STEPS) for step in range(6 * STEPS)]
    return turned([(x + width * cos(a), y + height * sin(a)) for a in angles], (x, y), tilt)


def turned(path: Iterable[Point], around: Point, degrees: float) -> Path:
    """Return the path turned clockwise."""
    x0, y0 = around
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return [(x0 + (x - x0) * c - (y - y0) * s, y0 + (x - x0) * s + (y - y0) * c) for x, y in path]


def raised(path: Iterable[Point], height: float) -> Path:
    """Return the path moved up."""
    return [(x, y - height) for x, y in path]


def flipped(path: Iterable[Point]) -> Path:
    """Return the mirror image, left to right."""
    return [(2 * MIDDLE - x, y) for x, y in path]


def both(path: Path) -> tuple[Path, Path]:
    """Return the path and its mirror image."""
    return path, flipped(path)


def symmetric(right: Path) -> Path:
    """Return a closed path with corners, from its right half."""
    return [*right, *flipped(reversed(right))]


def symmetric_loop(*right: Point) -> Path:
    """Return a smooth closed path, from its right half: from the middle down to the middle."""
    return loop(*right, *flipped(right[-2:0:-1]))


def _smooth(points: list[Point]) -> Path:
    """Return a line through all points but the first and last, which give the end slopes."""
    slopes = [
        ((c[0] - a[0]) / 2, (c[1] - a[1]) / 2) for a, c in zip(points, points[2:], strict=False)
    ]
    knots = list(zip(points[1:-1], slopes, strict=True))
    return [
        (
            _hermite(start[0], out[0], end[0], into[0], step / STEPS),
            _hermite(start[1], out[1], end[1], into[1], step / STEPS),
        )
        for (start, out), (end, into) in pairwise(knots)
        for step in range(STEPS)
    ]


def _hermite(start: float, out: float, end: float, into: float, t: float) -> float:
    """Return a curve from `start` with slope `out` to `end` with slope `into`."""
    rest = 1 - t
    return (
        start * (1 + 2 * t) * rest**2
        + out * t * rest**2
        + end * t**2 * (3 - 2 * t)
        - into * t**2 * rest
    )
