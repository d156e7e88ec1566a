"""A texture atlas: all small pictures in one texture, so that one draw call draws a window."""

from collections.abc import Callable, Hashable
from typing import NamedTuple

from PIL import Image

ATLAS_SIDE = 2_048
MARGIN = 1
"""Pixels around each picture: linear filtering blends in a little of the neighbors."""


class Region(NamedTuple):
    """A part of the atlas, in pixels."""

    x: float
    y: float
    width: float
    height: float

    def part(self, left: float, top: float, right: float, bottom: float) -> "Region":
        """Return the part between these fractions of the region."""
        return Region(
            self.x + left * self.width,
            self.y + top * self.height,
            (right - left) * self.width,
            (bottom - top) * self.height,
        )


class Upload(NamedTuple):
    """Pixels on their way to the graphics card, their colors multiplied by their opacity."""

    x: int
    y: int
    width: int
    height: int
    pixels: bytes


class Atlas:
    """Packs pictures into rows, the next one right of the last.

    When it is full it is emptied and `generation` rises: regions of an older generation are
    void and must be asked for again.
    """

    def __init__(self, side: int = ATLAS_SIDE) -> None:
        self.side = side
        self.generation = 0
        self._uploads: list[Upload] = []
        self._reset()

    def region(self, key: Hashable, paint: Callable[[], Image.Image]) -> Region:
        """Return the region of a picture, which is painted when it is asked for first."""
        found = self._regions.get(key)
        if found is None:
            found = self._regions[key] = self._place(paint())
        return found

    def take_uploads(self) -> list[Upload]:
        """Return the pictures that are new since the last call."""
        uploads, self._uploads = self._uploads, []
        return uploads

    def _reset(self) -> None:
        self._regions: dict[Hashable, Region] = {}
        self._uploads.clear()
        self._x = self._y = self._shelf_height = 0

    def _place(self, image: Image.Image) -> Region:
        width, height = image.width + 2 * MARGIN, image.height + 2 * MARGIN
        if self._x + width > self.side:
            self._x, self._y, self._shelf_height = 0, self._y + self._shelf_height, 0
        # Emptying all is rare and simple; evicting single pictures would need a real packer.
        if self._y + height > self.side:
            self._reset()
            self.generation += 1
        x, y = self._x, self._y
        self._x += width
        self._shelf_height = max(self._shelf_height, height)
        framed = Image.new("RGBA", (width, height))
        framed.paste(image, (MARGIN, MARGIN))
        # Premultiplied alpha (RGBa): linear filtering would otherwise blend in dark edges.
        self._uploads.append(Upload(x, y, width, height, framed.convert("RGBa").tobytes()))
        return Region(x + MARGIN, y + MARGIN, image.width, image.height)
