"""Text in pictures: fonts, and untrusted names made safe and short."""

from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from engine.printable import printable

FOLDER = Path(__file__).parents[3] / "resources/fonts"
SMALLEST = 9
"""The least size of letters, pixels: smaller ones cannot be read."""
LONGEST = 200
"""The most letters of a name that are measured: names are untrusted."""
ELLIPSIS = "…"
KEPT = 4_000

Letters = ImageFont.FreeTypeFont


class Weight(StrEnum):
    """The font files. Their digits all have one width."""

    REGULAR = "Inter-Regular.otf"
    STRONG = "Inter-SemiBold.otf"


@cache
def font(pixels: float, weight: Weight = Weight.REGULAR) -> Letters:
    """Return a font, with Pillow's basic layout: the other one needs libraqm."""
    size = max(SMALLEST, round(pixels))
    return ImageFont.truetype(FOLDER / weight, size, layout_engine=ImageFont.Layout.BASIC)


def write(
    image: Image.Image,
    place: tuple[float, float],
    text: str,
    color: str,
    letters: Letters,
    anchor: str,
) -> None:
    """Paint a plain text. Drawing letters is slow, so masks of texts are cached."""
    if text:
        mask, left, top = _mask(text, letters, anchor)
        image.paste(color, (round(place[0]) + left, round(place[1]) + top), mask)


@lru_cache(KEPT)
def width_of(text: str, letters: Letters) -> float:
    """Return the width of a text in pixels."""
    return letters.getlength(text)


@lru_cache(KEPT)
def _mask(text: str, letters: Letters, anchor: str) -> tuple[Image.Image, int, int]:
    """Return a text as a mask, and its corner as seen from its anchor."""
    left, top, right, bottom = map(round, letters.getbbox(text, anchor=anchor))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, 255, letters, anchor)
    return mask, left, top


@lru_cache(KEPT)
def fitted(text: str, letters: Letters, width: float) -> str:
    """Return a text that can be shown, shortened to a width."""
    # No binary search: names are at most LONGEST letters, and results are cached.
    whole = plain(text)
    if letters.getlength(whole) <= width:
        return whole
    kept = whole
    while kept and letters.getlength(kept.rstrip() + ELLIPSIS) > width:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept else ""


def plain(text: str) -> str:
    """Return a text without characters that break the line or change the writing direction."""
    return printable(text[:LONGEST])
