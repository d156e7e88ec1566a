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

    def relative_middle(self, rect: Rect) -> Point:
        """Return the point of the board in the middle of a place, as shares of its sides."""
        extent = self.arrangement.extent
        x = (rect.middle_x - self.left) / self.scale - extent.left
        y = (rect.middle_y - self.top) / self.scale - extent.top
        return x / extent.width, y / extent.height

    def with_scale(self, scale: float, x: float, y: float) -> "Fit":
        """Return the board in another scale; what is at a place stays there."""
        share = scale / self.scale
        left, top = x - (x - self.left) * share, y - (y - self.top) * share
        return Fit(scale, left, top, self.arrangement)

    def move_by(self, dx: float, dy: float) -> "Fit":
        return self._replace(left=self.left + dx, top=self.top + dy)

    def look_at(self, part: Extent, rect: Rect) -> "Fit":
        """Return the board closer, so that a part of it is seen as large as it fits."""
        scale = max(self.scale, min(rect.width / part.width, rect.height / part.height))
        x, y = (part.left + part.right) / 2 * scale, (part.top + part.bottom) / 2 * scale
        return Fit(scale, rect.middle_x - x, rect.middle_y - y, self.arrangement).clamp_to(rect)

    def clamp_to(self, rect: Rect) -> "Fit":
        """Return the board moved so that it fills a place, or stands in its middle."""
        extent, scale = self.arrangement.extent, self.scale
        left = _clamp(self.left, extent.left * scale, extent.width * scale, rect.x, rect.width)
        top = _clamp(self.top, extent.top * scale, extent.height * scale, rect.y, rect.height)
        return self._replace(left=float(round(left)), top=float(round(top)))


def fit_board(scene: AnyScene, rect: Rect) -> Fit:
    """Return the fit of a whole board with the largest squares."""
    fits = (Fit(scale_in(rect, each.extent), 0, 0, each) for each in arrangements(scene))
    return max(fits, key=lambda fit: fit.scale).clamp_to(rect)


def scale_in(rect: Rect, extent: Extent) -> float:
    """Return the pixels per square with which a board fits into a place."""
    return whole_scale(max(0.0, min(rect.width / extent.width, rect.height / extent.height)))


def whole_scale(scale: float) -> float:
    return float(int(scale)) if scale >= MIN_WHOLE_PIXEL_SCALE else scale


def _clamp(origin: float, start: float, length: float, first: float, room: float) -> float:
    if length <= room:
        return first + (room - length) / 2 - start
    return min(max(origin, first + room - length - start), first - start)
