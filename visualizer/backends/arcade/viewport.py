"""A board that is zoomed in."""

from typing import NamedTuple

from visualizer.drawing.fit import Fit, crisp
from visualizer.drawing.rect import Rect
from visualizer.scene import Extent

CLOSEST = 8
"""The squares of a board's shorter side that are visible at the closest zoom."""
LEAST_CLOSER = 4
"""The least maximum of the zoom factor."""
ALL_BUT = 1.001
"""Factors below it count as 1: they are rounded."""


class Zoom(NamedTuple):
    """The zoom factor, and the point of the board in the middle of its place."""

    factor: float = 1.0
    across: float = 0.5
    """From the board's left edge (0) to its right edge (1), however its parts are arranged."""
    down: float = 0.5

    def times(self, factor: float, most: float) -> "Zoom":
        """Return the zoom times a factor, at least the whole board."""
        wanted = min(self.factor * factor, most)
        return self._replace(factor=wanted) if wanted > ALL_BUT else Zoom()


def closer(fit: Fit, zoom: Zoom, place: Rect) -> Fit:
    """Return a fit zoomed in, from that of the whole board."""
    if zoom.factor == 1:
        return fit
    extent, scale = fit.arrangement.extent, crisp(fit.scale * zoom.factor)
    left = place.middle_x - (extent.left + zoom.across * extent.width) * scale
    top = place.middle_y - (extent.top + zoom.down * extent.height) * scale
    return Fit(scale, left, top, fit.arrangement).kept_in(place)


def most_of(extent: Extent) -> float:
    """Return the largest zoom factor of a board."""
    return max(LEAST_CLOSER, min(extent.width, extent.height) / CLOSEST)
