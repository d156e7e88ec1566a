"""Draws rectangles, lines, pictures and text on images with Pillow.

A row is what is pasted, where, and through which mask. Masks are cached: drawing one takes far
longer than pasting it.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache, partial
from math import ceil, floor
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from visualizer.drawing import lettering
from visualizer.drawing.draw_list import WHITE, DrawList, Paint
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect
from visualizer.theme import Rgb, rgb

if TYPE_CHECKING:
    from PIL._imaging import ImagingCore

FINE = 4
"""Shapes are drawn so many times as large as shown: Pillow's edges have steps."""
MASKS_KEPT, TEXTS_KEPT, STAMPS_KEPT = 2_000, 4_000, 5_000
MERGED_FROM = 12
"""Opaque stamps that are used so often are merged, which takes as long as drawing some."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""
Paste = tuple["ImagingCore | Rgb", Box, "ImagingCore | None"]
"""A picture or a color, where it goes, and through which mask; a bare tuple, as there are many.

Pictures are kept as what they have inside: images look at what they are before each paste.
"""


class ImageDrawList(DrawList[Paste]):
    """Collects what is pasted into an image."""

    def __init__(self, unit: float) -> None:
        super().__init__(unit)
        self._pictures: dict[Hashable, tuple[ImagingCore | Rgb, ImagingCore]] = {}
        self._stamps: dict[Hashable, tuple[int, Sequence[Paste]]] = {}
        """How often each was drawn, and what is pasted."""

    def stamp(
        self, key: tuple[Hashable, ...], at: Point, draw: Callable[[float, float], None]
    ) -> None:
        times, stamp = self._stamps.get(key) or (0, self.record_rows(partial(draw, 0, 0)))
        # What is seen through would differ by a shade, merged.
        if times == MERGED_FROM or (not times and any(mask for _, _, mask in stamp)):
            times, stamp = MERGED_FROM, _merge_rows(stamp)
        if len(self._stamps) > STAMPS_KEPT:
            self._stamps.clear()
        if times <= MERGED_FROM:
            self._stamps[key] = times + 1, stamp
        x, y = round(at[0]), round(at[1])
        for source, (left, top, right, bottom), mask in stamp:
            self.rows.append((source, (left + x, top + y, right + x, bottom + y), mask))

    def draw_on(self, image: Image.Image, clip: Box | None = None) -> None:
        """Draw all rows on an image, or what of them is in a box, and begin a new list."""
        bounds = left, top, right, bottom = clip or (0, 0, *image.size)
        paste = image.im.paste
        for row in self.rows:
            x, y, to_x, to_y = row[1]
            if to_x <= left or to_y <= top or right <= x or bottom <= y:
                continue
            is_whole = left <= x and top <= y and to_x <= right and to_y <= bottom
            source, box, mask = row if is_whole else _clip_row(row, bounds)
            if mask is None:
                paste(source, box)
            else:
                paste(source, box, mask)
        self.rows.clear()

    def rect(self, rect: Rect, color: str, opacity: float = 1.0) -> None:
        box = pixel_box(rect)
        width, height = box[2] - box[0], box[3] - box[1]
        if width > 0 and height > 0:
            mask = None if opacity >= 1 else _even_mask(width, height, _to_alpha(opacity)).im
            self.rows.append((rgb(color), box, mask))

    def rounded_rect(self, rect: Rect, radius: float, color: str, opacity: float = 1.0) -> None:
        box = pixel_box(rect)
        width, height = box[2] - box[0], box[3] - box[1]
        if width > 0 and height > 0:
            mask = _make_rounded_mask(width, height, round(radius), _to_alpha(opacity))
            self.rows.append((rgb(color), box, mask.im))

    def disc(self, x: float, y: float, diameter: float, color: str, opacity: float = 1.0) -> None:
        size = max(2, round(diameter))
        left, top = round(x - size / 2), round(y - size / 2)
        mask = _make_rounded_mask(size, size, size, _to_alpha(opacity))
        self.rows.append((rgb(color), (left, top, left + size, top + size), mask.im))

    def line(self, points: Sequence[Point], width: float, color: str, opacity: float = 1.0) -> None:
        thick = max(1, round(width * FINE))
        self._draw_shape(points, width / 2 + 1, color, opacity, thick)

    def polygon(self, points: Sequence[Point], color: str, opacity: float = 1.0) -> None:
        self._draw_shape(points, 0, color, opacity)

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
        known = (*key, size, color, opacity)
        if known not in self._pictures:
            image = paint(size)
            alpha = _fade_mask(image.getchannel("A"), _to_alpha(opacity))
            source = image.convert("RGB").im if color == WHITE else rgb(color)
            self._pictures[known] = source, alpha.im
        source, mask = self._pictures[known]
        left, top = round(x - size / 2), round(y - size / 2)
        self.rows.append((source, (left, top, left + size, top + size), mask))

    def _write(
        self, text: str, pen: tuple[int, int], letters: tuple[int, bool], color: str, opacity: float
    ) -> None:
        mask, left, top = _text_mask(text, letters, _to_alpha(opacity))
        left, top = pen[0] + left, pen[1] + top
        box = left, top, left + mask.width, top + mask.height
        self.rows.append((rgb(color), box, mask.im))

    def _draw_shape(
        self, points: Sequence[Point], margin: float, color: str, opacity: float, thick: int = 0
    ) -> None:
        """Draw a line, or a polygon where it is not thick, on the pixels it covers."""
        if len(points) < 2:
            return
        xs, ys = zip(*points, strict=True)
        left, top = floor(min(xs) - margin), floor(min(ys) - margin)
        right, bottom = ceil(max(xs) + margin), ceil(max(ys) + margin)
        if right <= left or bottom <= top:
            return
        fine = tuple((round((x - left) * FINE), round((y - top) * FINE)) for x, y in points)
        mask = _shape_mask(fine, (right - left, bottom - top), thick, _to_alpha(opacity))
        self.rows.append((rgb(color), (left, top, right, bottom), mask.im))


def pixel_box(rect: Rect) -> Box:
    """Return the pixels of a place."""
    return round(rect.x), round(rect.y), round(rect.right), round(rect.bottom)


def _clip_row(row: Paste, clip: Box) -> Paste:
    """Return what of a row is in a box."""
    source, (x, y, to_x, to_y), mask = row
    box = max(clip[0], x), max(clip[1], y), min(clip[2], to_x), min(clip[3], to_y)
    part = box[0] - x, box[1] - y, box[2] - x, box[3] - y
    shown = source if isinstance(source, tuple) else source.crop(part)
    return shown, box, None if mask is None else mask.crop(part)


def _merge_rows(rows: Sequence[Paste]) -> Sequence[Paste]:
    """Return rows that lie on each other as one picture: pasting that is faster."""
    if len(rows) < 2:
        return rows
    lefts, tops, rights, bottoms = zip(*(box for _, box, _ in rows), strict=True)
    left, top, right, bottom = min(lefts), min(tops), max(rights), max(bottoms)
    together = Image.new("RGBA", (right - left, bottom - top))
    for source, (x, y, to_x, to_y), mask in rows:
        size = to_x - x, to_y - y
        layer, alpha = Image.new("RGB", size), Image.new("L", size, 255)
        layer.im.paste(source, (0, 0, *size))
        if mask is not None:
            alpha.im.paste(mask, (0, 0, *size))
        layer.putalpha(alpha)
        together.alpha_composite(layer, (x - left, y - top))
    alpha = together.getchannel("A")
    is_opaque = alpha.getextrema() == (255, 255)
    whole = left, top, right, bottom
    return [(together.convert("RGB").im, whole, None if is_opaque else alpha.im)]


def _to_alpha(opacity: float) -> int:
    return round(255 * min(max(opacity, 0.0), 1.0))


def _fade_mask(mask: Image.Image, alpha: int) -> Image.Image:
    return mask if alpha == 255 else mask.point(lambda shade: shade * alpha // 255)


@lru_cache(MASKS_KEPT)
def _even_mask(width: int, height: int, alpha: int) -> Image.Image:
    return Image.new("L", (width, height), alpha)


@lru_cache(MASKS_KEPT)
def _make_rounded_mask(width: int, height: int, radius: int, alpha: int) -> Image.Image:
    """Return the mask of a rounded box. Only its corners are drawn large: edges are straight."""
    side = min(radius, width // 2, height // 2)
    mask = Image.new("L", (width, height), 255)
    disc = _disc_mask(2 * side) if side else mask
    for left, x in ((0, 0), (side, width - side)):
        for top, y in ((0, 0), (side, height - side)):
            mask.paste(disc.crop((left, top, left + side, top + side)), (x, y))
    return _fade_mask(mask, alpha)


@cache
def _disc_mask(diameter: int) -> Image.Image:
    side = diameter * FINE
    large = Image.new("L", (side, side))
    ImageDraw.Draw(large).ellipse((0, 0, side - 1, side - 1), 255)
    return large.resize((diameter, diameter), Image.Resampling.BOX)


@lru_cache(MASKS_KEPT)
def _shape_mask(
    points: Sequence[tuple[int, int]], size: tuple[int, int], thick: int, alpha: int
) -> Image.Image:
    """Return the mask of a line, or of a polygon where it is not thick."""
    large = Image.new("L", (size[0] * FINE, size[1] * FINE))
    if thick:
        ImageDraw.Draw(large).line(points, alpha, thick, "curve")
    else:
        ImageDraw.Draw(large).polygon(points, alpha)
    return large.resize(size, Image.Resampling.BOX)


@lru_cache(TEXTS_KEPT)
def _text_mask(text: str, letters: tuple[int, bool], alpha: int) -> tuple[Image.Image, int, int]:
    """Return a text as a mask, and its corner as seen from its pen."""
    left, top, _, _ = lettering.text_box(text, *letters)
    return _fade_mask(lettering.text_mask(text, *letters), alpha), left, top
