"""Draws rectangles, lines, pictures and text as rows for the graphics card.

A row is a rectangle of the window, the region of the atlas that fills it, a color it is
multiplied with, and an angle. Rows are bytes: what did not change is drawn again as it was.
"""

from collections.abc import Callable
from functools import cache
from math import atan2, hypot
from struct import Struct

from PIL import Image, ImageDraw

from engine.printable import printable
from visualizer.backends.arcade import lettering
from visualizer.backends.arcade.atlas import Atlas, Region
from visualizer.backends.arcade.rect import Rect

ROW = Struct("<8f4Bf")
"""The layout of a row, as graphics.py describes it to the card: x, y, width, height; those
of the region; red, green, blue, opacity; angle."""
WHITE = "#ffffff"
BADGE_LETTERS = 0.62
"""The size of a badge's number, as a share of the badge."""
FINE = 8
"""Circles are drawn so many times larger and scaled down, for smooth edges."""

pack = ROW.pack


@cache
def rgba(color: str, opacity: float = 1.0) -> tuple[int, int, int, int]:
    """Return red, green, blue and opacity, 0 to 255, of `#rrggbb`."""
    red, green, blue = bytes.fromhex(color[1:7])
    return red, green, blue, round(255 * min(max(opacity, 0.0), 1.0))


class DrawList:
    """Collects the rows of a picture, back to front."""

    def __init__(self, atlas: Atlas, unit: float) -> None:
        self.atlas = atlas
        self.unit = unit
        self.rows: list[bytes] = []

    def px(self, points: float) -> int:
        """Return points in whole pixels, one at least."""
        return max(1, round(points * self.unit))

    def rect(self, place: Rect, color: str, opacity: float = 1.0) -> None:
        self.rows.append(pack(*place, *self._solid, *rgba(color, opacity), 0.0))

    def line(
        self,
        start: tuple[float, float],
        stop: tuple[float, float],
        width: float,
        color: str,
        opacity: float = 1.0,
    ) -> None:
        """Draw a line with soft edges."""
        (x, y), (to_x, to_y) = start, stop
        length, thick = hypot(to_x - x, to_y - y), width + 2
        middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
        region = self.atlas.region(("stroke", round(width)), lambda: _stroke(round(width)))
        self.rows.append(
            pack(
                middle_x - length / 2, middle_y - thick / 2, length, thick,
                *region.part(0.25, 0, 0.75, 1), *rgba(color, opacity), atan2(to_y - y, to_x - x),
            )
        )  # fmt: skip

    def rounded(self, place: Rect, radius: float, color: str, opacity: float = 1.0) -> None:
        """Draw a rectangle with round corners."""
        r = min(round(radius), int(min(place.width, place.height) / 2))
        if r < 1:
            self.rect(place, color, opacity)
            return
        disc = self.atlas.region(("disc", 2 * r), lambda: _disc(2 * r))
        x, y, width, height = place
        tint = rgba(color, opacity)
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

    def panel(
        self, place: Rect, fill: str, rim: str, radius: float = 8, opacity: float = 1
    ) -> None:
        """Draw a panel with a rim, its lengths in points."""
        rim_width = self.px(1)
        self.rounded(place, self.px(radius), rim, opacity)
        self.rounded(place.inset(rim_width), self.px(radius) - rim_width, fill, opacity)

    def disc(self, x: float, y: float, diameter: float, color: str, opacity: float = 1.0) -> None:
        """Draw a disc around `x`, `y`."""
        size = max(2, round(diameter))
        region = self.atlas.region(("disc", size), lambda: _disc(size))
        left, top = x - size / 2, y - size / 2
        self.rows.append(pack(left, top, size, size, *region, *rgba(color, opacity), 0.0))

    def badge(self, x: float, y: float, size: float, team: int, color: str) -> None:
        """Draw a team's number on its color around `x`, `y`; `size` is in points.

        The number stands for those who cannot tell the colors apart.
        """
        self.disc(x, y, self.px(size), color)
        self.text(x, y, f"{team}", size * BADGE_LETTERS, WHITE, is_bold=True, align=0.5)

    def picture(
        self,
        key: tuple[object, ...],
        paint: Callable[[int], Image.Image],
        place: tuple[float, float, float],
        color: str = WHITE,
        opacity: float = 1.0,
    ) -> None:
        """Draw a square picture; `place` is its middle and its width."""
        x, y, width = place
        size = max(1, round(width))
        region = self.atlas.region((*key, size), lambda: paint(size))
        left, top = x - size / 2, y - size / 2
        self.rows.append(pack(left, top, size, size, *region, *rgba(color, opacity), 0.0))

    def text(
        self,
        x: float,
        middle: float,
        text: str,
        size: float,
        color: str,
        *,
        is_bold: bool = False,
        align: float = 0.0,
        room: float | None = None,
        opacity: float = 1.0,
    ) -> int:
        """Draw a line of text around the height `middle`; return its width. `size` is in points.

        `align` 0: it begins at `x`; 0.5: `x` is its middle; 1: it ends there. What is longer
        than `room` is cut.
        """
        pixels = max(6, round(size * self.unit))
        # Names come from untrusted bots: no control or bidirectional characters.
        text = printable(text)
        if room is not None:
            text = lettering.cut(text, room, pixels, is_bold)
        width = lettering.width_of(text, pixels, is_bold)
        # On whole pixels: filtered letters would be blurred.
        pen = round(x - align * width)
        base = round(middle + pixels * lettering.CAP_HEIGHT / 2)
        tint = rgba(color, opacity)
        for letter in text:
            self._letter(letter, pixels, is_bold, pen, base, tint)
            pen += lettering.advance(letter, pixels, is_bold)
        return width

    def width_of(self, text: str, size: float, is_bold: bool = False) -> int:
        """Return the width of a line of text, `size` in points."""
        return lettering.width_of(text, max(6, round(size * self.unit)), is_bold)

    def wrapped(self, text: str, size: float, width: float) -> list[str]:
        """Return a text broken into lines, `size` in points."""
        return lettering.wrapped(text, width, max(6, round(size * self.unit)))

    def _letter(
        self, letter: str, size: int, is_bold: bool, x: int, base: int, tint: tuple[int, ...]
    ) -> None:
        left, top, right, bottom = _box(letter, size, is_bold)
        if right <= left or bottom <= top:
            return
        region = self.atlas.region(
            ("letter", letter, size, is_bold), lambda: lettering.glyph(letter, size, is_bold)
        )
        self.rows.append(
            pack(x + left, base + top, right - left, bottom - top, *region, *tint, 0.0)
        )

    @property
    def _solid(self) -> Region:
        return self.atlas.region("solid", _solid).part(0.25, 0.25, 0.75, 0.75)


_box = cache(lettering.glyph_box)


def _solid() -> Image.Image:
    return Image.new("RGBA", (4, 4), "white")


def _disc(diameter: int) -> Image.Image:
    side = diameter * FINE
    alpha = Image.new("L", (side, side))
    ImageDraw.Draw(alpha).ellipse((0, 0, side - 1, side - 1), fill=255)
    return _white(alpha.resize((diameter, diameter), Image.Resampling.BOX))


def _stroke(width: int) -> Image.Image:
    """Return a bar with a soft pixel above and below."""
    alpha = Image.new("L", (4, width + 2))
    ImageDraw.Draw(alpha).rectangle((0, 1, 3, width), fill=255)
    return _white(alpha)


def _white(alpha: Image.Image) -> Image.Image:
    image = Image.new("RGBA", alpha.size, "white")
    image.putalpha(alpha)
    return image
