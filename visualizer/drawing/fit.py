"""How a board is shown in a place: its scale, and where its squares are."""

from typing import NamedTuple

from visualizer.drawing.arrangement import Arrangement, Point, arrangements
from visualizer.drawing.rect import Rect
from visualizer.scene import AnyScene, Extent

MIN_WHOLE_PIXEL_SCALE = 8
"""From so many pixels on, squares are whole pixels wide: all are equally large."""


class Fit(NamedTuple):
    """The scale and the place of a board."""

    scale: float
    """Pixels per square."""
    left: float
    top: float
    arrangement: Arrangement

    def to_pixels(self, x: float, y: float) -> Point:
        x, y = self.arrangement.to_view(x, y)
        return self.left + x * self.scale, self.top + y * self.scale

    def pixel_rect(self, left: float, top: float, right: float, bottom: float) -> Rect:
        """Return a rectangle of one part of the board, its edges on whole pixels.

        Neighbors have no seam between them.
        """
        x, y = self.arrangement.to_view(left, top)
        across = (round(self.left + at * self.scale) for at in (x, x + right - left))
        down = (round(self.top + at * self.scale) for at in (y, y + bottom - top))
        (x, to_x), (y, to_y) = across, down
        return Rect(x, y, to_x - x, to_y - y)

    def to_board(self, x: float, y: float) -> Point:
        return self.arrangement.to_scene((x - self.left) / self.scale, (y - self.top) / self.scale)

    def relative_middle(self, place: Rect) -> Point:
        """Return the point of the board in the middle of a place, as shares of its sides."""
        extent = self.arrangement.extent
        x = (place.middle_x - self.left) / self.scale - extent.left
        y = (place.middle_y - self.top) / self.scale - extent.top
        return x / extent.width, y / extent.height

    def with_scale(self, scale: float, x: float, y: float) -> "Fit":
        """Return the board in another scale; what is at a place stays there."""
        share = scale / self.scale
        left, top = x - (x - self.left) * share, y - (y - self.top) * share
        return Fit(scale, left, top, self.arrangement)

    def move_by(self, dx: float, dy: float) -> "Fit":
        return self._replace(left=self.left + dx, top=self.top + dy)

    def look_at(self, part: Extent, place: Rect) -> "Fit":
        """Return the board closer, so that a part of it is seen as large as it fits."""
        scale = max(self.scale, min(place.width / part.width, place.height / part.height))
        x, y = (part.left + part.right) / 2 * scale, (part.top + part.bottom) / 2 * scale
        return Fit(scale, place.middle_x - x, place.middle_y - y, self.arrangement).clamp_to(place)

    def clamp_to(self, place: Rect) -> "Fit":
        """Return the board moved so that it fills a place, or stands in its middle."""
        extent, scale = self.arrangement.extent, self.scale
        left = _clamp(self.left, extent.left * scale, extent.width * scale, place.x, place.width)
        top = _clamp(self.top, extent.top * scale, extent.height * scale, place.y, place.height)
        return self._replace(left=float(round(left)), top=float(round(top)))


def fit_board(scene: AnyScene, place: Rect) -> Fit:
    """Return the fit of a whole board with the largest squares."""
    fits = (Fit(scale_in(place, each.extent), 0, 0, each) for each in arrangements(scene))
    return max(fits, key=lambda fit: fit.scale).clamp_to(place)


def scale_in(place: Rect, extent: Extent) -> float:
    """Return the pixels per square with which a board fits into a place."""
    return whole_scale(max(0.0, min(place.width / extent.width, place.height / extent.height)))


def whole_scale(scale: float) -> float:
    return float(int(scale)) if scale >= MIN_WHOLE_PIXEL_SCALE else scale


def _clamp(origin: float, start: float, length: float, first: float, room: float) -> float:
    if length <= room:
        return first + (room - length) / 2 - start
    return min(max(origin, first + room - length - start), first - start)
