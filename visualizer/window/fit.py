"""How a board lies in the window: as large as can be, or closer."""

from typing import Any, NamedTuple

from visualizer.arrangement import Arrangement, Point, arrangements
from visualizer.scene import Extent, Scene
from visualizer.window.layout import fitted
from visualizer.window.rect import Rect

CRISP = 8
"""From so many pixels on, squares are whole pixels wide."""
CLOSEST = 8
"""So few squares of a board's shorter side are to be seen at the closest."""
LEAST_CLOSER = 4
"""So much closer one can always go."""
ALL_BUT = 1.001
"""No closer is no closer: factors are rounded."""


class Zoom(NamedTuple):
    """How much closer than fitted, and what is in the middle of the place then."""

    factor: float = 1.0
    across: float = 0.5
    """From the board's left edge (0) to its right edge (1), however its parts are arranged."""
    down: float = 0.5

    def times(self, factor: float, most: float) -> "Zoom":
        """Closer, or farther; all of the board at the farthest."""
        wanted = min(self.factor * factor, most)
        return self._replace(factor=wanted) if wanted > ALL_BUT else Zoom()


class Fit(NamedTuple):
    """Where the squares of a board are."""

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
        """What is in the middle of a place: how far across the board, and how far down."""
        extent = self.arrangement.extent
        x = (place.middle_x - self.left) / self.scale - extent.left
        y = (place.middle_y - self.top) / self.scale - extent.top
        return x / extent.width, y / extent.height

    def scaled(self, scale: float, x: float, y: float) -> "Fit":
        """In another scale, what is at a place of the window staying there."""
        share = scale / self.scale
        left, top = x - (x - self.left) * share, y - (y - self.top) * share
        return Fit(scale, left, top, self.arrangement)

    def moved(self, dx: float, dy: float) -> "Fit":
        return self._replace(left=self.left + dx, top=self.top + dy)

    def kept_in(self, place: Rect) -> "Fit":
        """So that the board fills a place, or stands in its middle."""
        extent, scale = self.arrangement.extent, self.scale
        left = _kept(self.left, extent.left * scale, extent.width * scale, place.x, place.width)
        top = _kept(self.top, extent.top * scale, extent.height * scale, place.y, place.height)
        return self._replace(left=float(round(left)), top=float(round(top)))


def whole(scene: Scene[Any], place: Rect) -> Fit:
    """All of a board, so that its squares are as large as can be."""
    fits = (Fit(*fitted(each.extent, place), each) for each in arrangements(scene))
    return max(fits, key=lambda fit: fit.scale)


def closer(fit: Fit, zoom: Zoom, place: Rect) -> Fit:
    """From a fit of all of a board."""
    if zoom.factor == 1:
        return fit
    extent, scale = fit.arrangement.extent, crisp(fit.scale * zoom.factor)
    left = place.middle_x - (extent.left + zoom.across * extent.width) * scale
    top = place.middle_y - (extent.top + zoom.down * extent.height) * scale
    return Fit(scale, left, top, fit.arrangement).kept_in(place)


def crisp(scale: float) -> float:
    return float(int(scale)) if scale >= CRISP else scale


def most_of(extent: Extent) -> float:
    """How much closer than fitted one can go."""
    return max(LEAST_CLOSER, min(extent.width, extent.height) / CLOSEST)


def _kept(origin: float, start: float, length: float, first: float, room: float) -> float:
    if length <= room:
        return first + (room - length) / 2 - start
    return min(max(origin, first + room - length - start), first - start)
