"""A canvas to paint on, in coordinates from 0 to 256 with y downwards."""

from dataclasses import dataclass
from math import ceil

from PIL import Image, ImageChops, ImageColor, ImageDraw

from resources.sprites.paths import Path

SIDE = 256
MARGIN = 9
"""The margin around a finished sprite, in its pixels."""
BEYOND = 48
"""How far a painting may extend beyond the coordinates; the finished sprite is fitted."""
SCALE = 4
"""Sprites are painted four times as large and averaged, for smooth edges."""


@dataclass(frozen=True)
class Fade:
    """A color that turns into another between two heights."""

    upper: str
    lower: str
    top: float
    bottom: float


Paint = str | Fade
"""A color as `#rrggbb` or `#rrggbbaa`, or a fade."""


class Canvas:
    """A canvas, transparent at first."""

    def __init__(self) -> None:
        side = (SIDE + 2 * BEYOND) * SCALE
        self._image = Image.new("RGBA", (side, side))

    def fill(self, path: Path, paint: Paint, *, within: Path | None = None) -> None:
        """Paint the inside of a path, and only what lies inside of `within`, too."""
        mask = self._inside(path)
        if within is not None:
            mask = ImageChops.multiply(mask, self._inside(within))
        self._paint(mask, paint)

    def stroke(self, path: Path, paint: Paint, width: float) -> None:
        """Paint a line with round ends and joints."""
        mask = Image.new("L", self._image.size)
        pen = ImageDraw.Draw(mask)
        pen.line(_enlarged(path), fill=255, width=round(width * SCALE))
        for point in _enlarged(path):
            pen.circle(point, width * SCALE / 2, fill=255)
        self._paint(mask, paint)

    def shape(self, path: Path, paint: Paint, edge: str, width: float) -> None:
        """Fill a path, with an edge of that width around it."""
        self.stroke([*path, path[0]], edge, 2 * width)
        self.fill(path, paint)

    def image(self) -> Image.Image:
        """Return the painting, centered in 256 x 256 pixels and as large as the margin allows."""
        box = self._image.getbbox()
        if box is None:
            return Image.new("RGBA", (SIDE, SIDE))
        left, top, right, bottom = box
        side = ceil(max(right - left, bottom - top) * SIDE / (SIDE - 2 * MARGIN))
        x, y = (left + right - side) // 2, (top + bottom - side) // 2
        square = self._image.crop((x, y, x + side, y + side))
        return square.resize((SIDE, SIDE), Image.Resampling.BOX)

    def _inside(self, path: Path) -> Image.Image:
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).polygon(_enlarged(path), fill=255)
        return mask

    def _paint(self, mask: Image.Image, paint: Paint) -> None:
        layer = self._layer(paint)
        layer.putalpha(ImageChops.multiply(layer.getchannel("A"), mask))
        self._image.alpha_composite(layer)

    def _layer(self, paint: Paint) -> Image.Image:
        size = self._image.size
        if isinstance(paint, str):
            return Image.new("RGBA", size, paint)
        upper, lower = Image.new("RGBA", size, paint.upper), Image.new("RGBA", size, paint.lower)
        return Image.composite(lower, upper, self._ramp(paint))

    def _ramp(self, fade: Fade) -> Image.Image:
        """Return a ramp, black down to the fade's top, white from its bottom on."""
        heights = [y + 0.5 for y in range(-BEYOND, SIDE + BEYOND)]
        shares = [(height - fade.top) / (fade.bottom - fade.top) for height in heights]
        column = Image.new("L", (1, len(shares)))
        column.putdata([round(255 * min(1.0, max(0.0, share))) for share in shares])
        return column.resize(self._image.size, Image.Resampling.NEAREST)


def mixed(color: str, other: str, share: float) -> str:
    """Return a color mixed with a share of another."""
    pairs = zip(ImageColor.getrgb(color), ImageColor.getrgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _enlarged(path: Path) -> Path:
    return [((x + BEYOND) * SCALE, (y + BEYOND) * SCALE) for x, y in path]
