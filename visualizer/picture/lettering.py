"""Text in pictures: the fonts, and strangers' names made safe and short."""

from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from visualizer.printable import printable

FOLDER = Path(__file__).parents[2] / "resources/fonts"
SMALLEST = 9
"""Pixels: below that nobody reads."""
LONGEST = 200
"""Letters of a name that are looked at."""
ELLIPSIS = "…"
KEPT = 4_000

Letters = ImageFont.FreeTypeFont


class Weight(StrEnum):
    """The files of the fonts. Their figures are all of one width."""

    REGULAR = "Inter-Regular.otf"
    STRONG = "Inter-SemiBold.otf"


@cache
def font(pixels: float, weight: Weight = Weight.REGULAR) -> Letters:
    """The basic layout: the other one needs a library that is not everywhere."""
    size = max(SMALLEST, round(pixels))
    return ImageFont.truetype(FOLDER / weight, size, layout_engine=ImageFont.Layout.BASIC)


def write(
    image: Image.Image,
    place: tuple[float, float],
    text: str,
    colour: str,
    letters: Letters,
    anchor: str,
) -> None:
    """Paint a text that is plain. Drawing letters is slow, so what was drawn once is kept."""
    if text:
        mask, left, top = _mask(text, letters, anchor)
        image.paste(colour, (round(place[0]) + left, round(place[1]) + top), mask)


@lru_cache(KEPT)
def width_of(text: str, letters: Letters) -> float:
    """In pixels."""
    return letters.getlength(text)


@lru_cache(KEPT)
def _mask(text: str, letters: Letters, anchor: str) -> tuple[Image.Image, int, int]:
    """A text white on black, and where its corner is as seen from its anchor."""
    left, top, right, bottom = map(round, letters.getbbox(text, anchor=anchor))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, 255, letters, anchor)
    return mask, left, top


@lru_cache(KEPT)
def fitted(text: str, letters: Letters, width: float) -> str:
    """A text that can be shown, shortened to a width."""
    whole = plain(text)
    if letters.getlength(whole) <= width:
        return whole
    kept = whole
    while kept and letters.getlength(kept.rstrip() + ELLIPSIS) > width:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept else ""


def plain(text: str) -> str:
    """Fit to be written: without what could break the line or turn the direction of writing."""
    return printable(text[:LONGEST])
