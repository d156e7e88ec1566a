"""How a board is shown in the window: fitted, or zoomed in."""

from typing import NamedTuple

from visualizer.backends.arcade.layout import fitted
from visualizer.backends.arcade.rect import Rect
from visualizer.drawing.arrangement import Arrangement, Point, arrangements
from visualizer.scene import AnyScene, Extent

CRISP = 8
"""From so many pixels on, squares are whole pixels wide."""
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


class Fit(NamedTuple):
    """The scale and the place of a board in the window."""

    scale: float
    """Pixels per square."""
    left: float
    top: float
    arrangement: Arrangement

    def to_window(self, x: float, y: float) -> Point:
        x, y = self.arrangement.shown(x, y)
        return self.left + x * self.scale, self.top + y * self.scale

    def to_board(self, x: float, y: float) -> Point:
        return self.arrangement.meant((x - self.left) / self.scale, (y - self.top) / self.scale)

    def middle_of(self, place: Rect) -> Point:
        """Return the point of the board in the middle of a place, as shares of its sides."""
        extent = self.arrangement.extent
        x = (place.middle_x - self.left) / self.scale - extent.left
        y = (place.middle_y - self.top) / self.scale - extent.top
        return x / extent.width, y / extent.height

    def scaled(self, scale: float, x: float, y: float) -> "Fit":
        """Return the board in another scale; what is at a place of the window stays there."""
        share = scale / self.scale
        left, top = x - (x - self.left) * share, y - (y - self.top) * share
        return Fit(scale, left, top, self.arrangement)

    def moved(self, dx: float, dy: float) -> "Fit":
        return self._replace(left=self.left + dx, top=self.top + dy)

    def kept_in(self, place: Rect) -> "Fit":
        """Return the board moved so that it fills a place, or stands in its middle."""
        extent, scale = self.arrangement.extent, self.scale
        left = _kept(self.left, extent.left * scale, extent.width * scale, place.x, place.width)
        top = _kept(self.top, extent.top * scale, extent.height * scale, place.y, place.height)
        return self._replace(left=float(round(left)), top=float(round(top)))


def whole(scene: AnyScene, place: Rect) -> Fit:
    """Return the fit of a whole board with the largest squares."""
    fits = (Fit(*fitted(each.extent, place), each) for each in arrangements(scene))
    return max(fits, key=lambda fit: fit.scale)


def closer(fit: Fit, zoom: Zoom, place: Rect) -> Fit:
    """Return a fit zoomed in, from that of the whole board."""
    if zoom.factor == 1:
        return fit
    extent, scale = fit.arrangement.extent, crisp(fit.scale * zoom.factor)
    left = place.middle_x - (extent.left + zoom.across * extent.width) * scale
    top = place.middle_y - (extent.top + zoom.down * extent.height) * scale
    return Fit(scale, left, top, fit.arrangement).kept_in(place)


def crisp(scale: float) -> float:
    return float(int(scale)) if scale >= CRISP else scale


def most_of(extent: Extent) -> float:
    """Return the largest zoom factor of a board."""
    return max(LEAST_CLOSER, min(extent.width, extent.height) / CLOSEST)


def _kept(origin: float, start: float, length: float, first: float, room: float) -> float:
    if length <= room:
        return first + (room - length) / 2 - start
    return min(max(origin, first + room - length - start), first - start)
