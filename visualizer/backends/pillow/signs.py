"""The signs of events: a small picture for each, drawn large and scaled down."""

from collections.abc import Callable
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin, tau
from typing import NamedTuple

from PIL import Image, ImageDraw

from visualizer.drawing.frame_cursor import FrameSign
from visualizer.scene import Mark
from visualizer.theme import AROUND, LEAST_SIGN, MARK_COLORS, MARK_RIM, MARK_RIMS

FINE = 4
"""Drawn so many times as large as shown: Pillow's lines have steps."""
SIGNS_KEPT = 2_000
RAYS = 8
"""The rays of a star."""
MARGIN = 0.5
"""The margin around the middles of the one and the other, squares."""

Point = tuple[float, float]


class Stamp(NamedTuple):
    """A picture, and its upper left corner as seen from the middle of the one."""

    image: Image.Image
    left: int
    top: int


class Stamps:
    """The signs of a board in one scale."""

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._drawn = lru_cache(SIGNS_KEPT)(self._draw)

    def stamp(self, sign: FrameSign) -> Stamp:
        """Return the picture of a sign. It is shared: nobody may paint on it."""
        if sign.mark is Mark.CALL:
            return self._drawn(sign.mark, 0.0, 0.0, sign.size + AROUND)
        return self._drawn(sign.mark, sign.to_x - sign.x, sign.to_y - sign.y, 1.0)

    def _draw(self, mark: Mark, along: float, down: float, size: float) -> Stamp:
        """Draw a sign; at one place it can be larger than a square, and has a least size."""
        scale = self._scale * size
        if not along and not down:
            scale = max(scale, LEAST_SIGN)
        left, top = min(0.0, along) - MARGIN, min(0.0, down) - MARGIN
        wide = round((abs(along) + 2 * MARGIN) * scale)
        high = round((abs(down) + 2 * MARGIN) * scale)
        image = Image.new("RGBA", (wide * FINE, high * FINE))
        pen = Pen(image, scale * FINE, (-left, -top), MARK_RIMS.get(mark, MARK_RIM), 1 / size)
        DRAWN[mark](pen, (along, down), MARK_COLORS[mark])
        small = image.resize((wide, high), Image.Resampling.LANCZOS)
        return Stamp(small, round(left * scale), round(top * scale))


class Pen:
    """Draws in squares, (0, 0) being the middle of the one; everything gets a rim."""

    def __init__(
        self, image: Image.Image, scale: float, origin: Point, rim: str, thin: float = 1.0
    ) -> None:
        """Prepare a pen; `thin` scales ring widths, so that large rings have fine lines too."""
        self.rim = rim
        self._thin = thin
        self._draw = ImageDraw.Draw(image)
        self._scale = scale
        self._origin = origin

    def line(self, points: list[Point], width: float, color: str, rim: float = 0.05) -> None:
        for more, shade in ((rim, self.rim), (0.0, color)):
            pixels = [self._pixels(point) for point in points]
            thick = max(1, round((width + 2 * more) * self._scale))
            self._draw.line(pixels, shade, thick, joint="curve")
            for x, y in (pixels[0], pixels[-1]):
                end = thick / 2
                self._draw.ellipse((x - end, y - end, x + end, y + end), shade)

    def shape(self, points: list[Point], color: str, rim: float = 0.05) -> None:
        pixels = [self._pixels(point) for point in points]
        thick = round(2 * rim * self._scale)
        self._draw.line([*pixels, *pixels[:2]], self.rim, thick, joint="curve")
        self._draw.polygon(pixels, color)

    def disc(self, middle: Point, radius: float, color: str, rim: float = 0.05) -> None:
        for more, shade in ((rim, self.rim), (0.0, color)):
            self._draw.ellipse(self._around(middle, radius + more), shade)

    def ring(self, middle: Point, radius: float, width: float, color: str) -> None:
        for more, shade in ((0.04, self.rim), (0.0, color)):
            thick = round((width + 2 * more) * self._thin * self._scale)
            reach = radius + more * self._thin
            self._draw.ellipse(self._around(middle, reach), None, shade, max(1, thick))

    def _around(self, middle: Point, radius: float) -> tuple[float, float, float, float]:
        (x, y), reach = self._pixels(middle), radius * self._scale
        return x - reach, y - reach, x + reach, y + reach

    def _pixels(self, point: Point) -> Point:
        across, down = self._origin
        return (point[0] + across) * self._scale, (point[1] + down) * self._scale


def _toward(other: Point, distance: float, sideways: float = 0.0) -> Point:
    """Return a point on the way to the other (away from it, if negative), beside the way."""
    angle = atan2(other[1], other[0])
    far = distance if distance >= 0 else hypot(*other) + distance
    x, y = far * cos(angle), far * sin(angle)
    return x - sideways * sin(angle), y + sideways * cos(angle)


def _strike(pen: Pen, other: Point, color: str) -> None:
    """Draw a wedge from the one into the other; a star where they are in one place."""
    if not any(other):
        pen.shape(_star(), color, rim=0.04)
        return
    pen.shape(
        [
            _toward(other, 0.3, -0.13),
            _toward(other, -0.3),
            _toward(other, 0.3, 0.13),
        ],
        color,
        rim=0.04,
    )


def _star() -> list[Point]:
    radii = [(0.36, 0.17)[corner % 2] for corner in range(2 * RAYS)]
    turns = [tau * corner / len(radii) for corner in range(len(radii))]
    return [(far * sin(turn), far * cos(turn)) for far, turn in zip(radii, turns, strict=True)]


def _birth(pen: Pen, other: Point, color: str) -> None:
    pen.ring(other, 0.4, 0.06, color)


def _join(pen: Pen, other: Point, color: str) -> None:
    """Draw an arrow from the other, which was merged, into the one."""
    pen.line([_toward(other, -0.1), _toward(other, 0.45)], 0.1, color)
    pen.shape([_toward(other, 0.25), _toward(other, 0.5, 0.2), _toward(other, 0.5, -0.2)], color)
    pen.ring((0, 0), 0.42, 0.06, color)


def _death(pen: Pen, other: Point, color: str) -> None:
    reach = 0.24
    for slope in (1, -1):
        pen.line([(-reach, -reach * slope), (reach, reach * slope)], 0.13, color)


def _rise(pen: Pen, other: Point, color: str) -> None:
    """Draw an arrow head upwards, in the upper left corner."""
    pen.shape([(-0.44, -0.2), (-0.29, -0.44), (-0.14, -0.2)], color, rim=0.04)


def _fault(pen: Pen, other: Point, color: str) -> None:
    """Draw an exclamation mark on a disc."""
    x, y = -0.27, -0.27
    pen.disc((x, y), 0.18, color)
    pen.line([(x, y - 0.1), (x, y + 0.01)], 0.055, pen.rim, rim=0)
    pen.disc((x, y + 0.1), 0.035, pen.rim, rim=0)


def _hit(pen: Pen, other: Point, color: str) -> None:
    """Draw a star with six points."""
    angles = [pi * n / 6 for n in range(12)]
    radii = (0.34, 0.16)
    pen.shape([(radii[n % 2] * sin(a), radii[n % 2] * cos(a)) for n, a in enumerate(angles)],
              color, rim=0.04)  # fmt: skip


def _call(pen: Pen, other: Point, color: str) -> None:
    """Draw rings around the one."""
    pen.ring((0, 0), 0.44, 0.2, color)


def _blocked(pen: Pen, other: Point, color: str) -> None:
    """Draw a small disc with a bar: no entry."""
    x, y = 0.3, -0.3
    pen.disc((x, y), 0.13, color, rim=0.03)
    pen.line([(x - 0.06, y), (x + 0.06, y)], 0.05, pen.rim, rim=0)


DRAWN: dict[Mark, Callable[[Pen, Point, str], None]] = {
    Mark.STRIKE: _strike,
    Mark.BIRTH: _birth,
    Mark.JOIN: _join,
    Mark.DEATH: _death,
    Mark.RISE: _rise,
    Mark.FAULT: _fault,
    Mark.BLOCKED: _blocked,
    Mark.HIT: _hit,
    Mark.CALL: _call,
}
