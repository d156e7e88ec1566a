"""Draws rectangles, lines, pictures and text as rows for the graphics card.

A row is a rectangle of the window, the region of the atlas that fills it, a color it is
multiplied with, and an angle. Rows are bytes: what did not change is drawn again as it was.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from math import atan2, floor, hypot
from struct import Struct

from PIL import Image, ImageDraw

from visualizer.backends.arcade.atlas import Atlas
from visualizer.drawing import lettering
from visualizer.drawing.draw_list import WHITE, DrawList, Paint
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect

ROW_LAYOUT = Struct("<8f4Bf")
"""The layout of a row, as screen.py describes it to the card: x, y, width, height; those
of the region; red, green, blue, opacity; angle."""
OVERSAMPLING = 8
"""Circles are drawn so many times larger and scaled down, for smooth edges."""
COLUMN_WIDTH = 2
"""Polygons are drawn in columns so many pixels wide."""

NO_OTHERS: Mapping[str, str] = {}

pack = ROW_LAYOUT.pack


@cache
def rgba(color: str, opacity: float) -> tuple[int, int, int, int]:
    """Return red, green, blue and opacity, 0 to 255, of `#rrggbb`."""
    red, green, blue = bytes.fromhex(color[1:7])
    return red, green, blue, round(255 * min(max(opacity, 0.0), 1.0))


class CardDrawList(DrawList[bytes]):
    """Collects rows for the graphics card."""

    def __init__(self, atlas: Atlas, unit: float, colors: Mapping[str, str] = NO_OTHERS) -> None:
        """`colors`: what is drawn in place of colors."""
        super().__init__(unit)
        self.atlas = atlas
        self._colors = colors

    def pack_rows(self, rows: Sequence[bytes]) -> Sequence[bytes]:
        return [b"".join(rows)]

    def rect(self, rect: Rect, color: str, opacity: float = 1.0) -> None:
        solid = self.atlas.region("solid", _solid_image).part(0.25, 0.25, 0.75, 0.75)
        self.rows.append(pack(*rect, *solid, *self._rgba(color, opacity), 0.0))

    def line(self, points: Sequence[Point], width: float, color: str, opacity: float = 1.0) -> None:
        thick, tint = width + 2, self._rgba(color, opacity)
        region = self.atlas.region(("stroke", round(width)), lambda: _stroke_image(round(width)))
        middle = region.part(0.25, 0, 0.75, 1)
        for (x, y), (to_x, to_y) in pairwise(points):
            length = hypot(to_x - x, to_y - y)
            left, top = (x + to_x - length) / 2, (y + to_y - thick) / 2
            angle = atan2(to_y - y, to_x - x)
            self.rows.append(pack(left, top, length, thick, *middle, *tint, angle))

    def polygon(self, points: Sequence[Point], color: str, opacity: float = 1.0) -> None:
        for left, top, bottom in _columns_of_polygon(points):
            self.rect(Rect(left, top, COLUMN_WIDTH, bottom - top), color, opacity)

    def rounded_rect(self, rect: Rect, radius: float, color: str, opacity: float = 1.0) -> None:
        r = min(round(radius), int(min(rect.width, rect.height) / 2))
        if r < 1:
            self.rect(rect, color, opacity)
            return
        disc = self.atlas.region(("disc", 2 * r), lambda: _disc_image(2 * r))
        x, y, width, height = rect
        tint = self._rgba(color, opacity)
        for across, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            quarter = disc.part(across / 2, down / 2, (across + 1) / 2, (down + 1) / 2)
            left, top = x + across * (width - r), y + down * (height - r)
            self.rows.append(pack(left, top, r, r, *quarter, *tint, 0.0))
        for part in (
            Rect(x + r, y, width - 2 * r, r),
            Rect(x, y + r, width, height - 2 * r),
            Rect(x + r, y + height - r, width - 2 * r, r),
        ):
            if part.width > 0 and part.height > 0:
                self.rect(part, color, opacity)

    def disc(self, x: float, y: float, diameter: float, color: str, opacity: float = 1.0) -> None:
        self.picture(("disc",), _disc_image, (x, y, max(2.0, diameter)), color, opacity)

    def picture(
        self,
        key: tuple[Hashable, ...],
        paint: Paint,
        place: tuple[float, float, float],
        color: str = WHITE,
        opacity: float = 1.0,
    ) -> None:
        x, y, width = place
        size = max(1, round(width))
        region = self.atlas.region((*key, size), lambda: paint(size))
        left, top = _snap_to_pixels(x, y, size)
        self.rows.append(pack(left, top, size, size, *region, *self._rgba(color, opacity), 0.0))

    def _write(
        self, text: str, pen: tuple[int, int], letters: tuple[int, bool], color: str, opacity: float
    ) -> None:
        (x, base), tint = pen, self._rgba(color, opacity)
        for letter in text:
            left, top, right, bottom = _box(letter, *letters)
            if right > left and bottom > top:
                paint = partial(_letter_image, letter, *letters)
                region = self.atlas.region(("letter", letter, *letters), paint)
                place = x + left, base + top, right - left, bottom - top
                self.rows.append(pack(*place, *region, *tint, 0.0))
            x += lettering.advance(letter, *letters)

    def _rgba(self, color: str, opacity: float) -> tuple[int, int, int, int]:
        return rgba(self._colors.get(color, color), opacity)


def _snap_to_pixels(x: float, y: float, size: int) -> Point:
    """Return the corner of what is around a place, on whole pixels: between them it is blurred."""
    return floor(x - size / 2 + 0.5), floor(y - size / 2 + 0.5)


_box = cache(lettering.text_box)


def _columns_of_polygon(points: Sequence[Point]) -> list[tuple[float, float, float]]:
    """Return the columns that fill a polygon: left, top and bottom."""
    crossings: dict[int, list[float]] = defaultdict(list)
    for ends in pairwise((*points, points[0])):
        (x, y), (to_x, to_y) = sorted(ends)
        # A column is crossed where its middle lies: each edge has its left end, not its right.
        for column in range(*(round(end / COLUMN_WIDTH) for end in (x, to_x))):
            share = ((column + 0.5) * COLUMN_WIDTH - x) / (to_x - x)
            crossings[column].append(y + (to_y - y) * min(max(share, 0.0), 1.0))
    return [
        (float(column * COLUMN_WIDTH), top, bottom)
        for column, found in sorted(crossings.items())
        for top, bottom in zip(*[iter(sorted(found))] * 2, strict=False)
    ]


def _solid_image() -> Image.Image:
    return Image.new("RGBA", (4, 4), "white")


def _letter_image(letter: str, size: int, is_bold: bool) -> Image.Image:
    return _white_image(lettering.text_mask(letter, size, is_bold))


def _disc_image(diameter: int) -> Image.Image:
    side = diameter * OVERSAMPLING
    alpha = Image.new("L", (side, side))
    ImageDraw.Draw(alpha).ellipse((0, 0, side - 1, side - 1), fill=255)
    return _white_image(alpha.resize((diameter, diameter), Image.Resampling.BOX))


def _stroke_image(width: int) -> Image.Image:
    """Return a bar with a soft pixel above and below."""
    alpha = Image.new("L", (4, width + 2))
    ImageDraw.Draw(alpha).rectangle((0, 1, 3, width), fill=255)
    return _white_image(alpha)


def _white_image(alpha: Image.Image) -> Image.Image:
    image = Image.new("RGBA", alpha.size, "white")
    image.putalpha(alpha)
    return image
