"""Letters: their pictures, their widths, and what of a text fits."""

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ELLIPSIS = "…"
FONTS = "resources/system/fonts/ttf/Liberation"
"""The fonts, which come with arcade, so that a window looks the same everywhere."""
CAP_HEIGHT = 0.66
"""The height of capitals, as a share of the size, for centering a line."""


@cache
def font(size: int, is_bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font; without arcade's files the one that Pillow brings."""
    spec = find_spec("arcade")
    name = f"{FONTS}/Liberation_Sans_{'Bold' if is_bold else 'Regular'}.ttf"
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / name).exists():
            return ImageFont.truetype(str(Path(folder) / name), size)
    default = ImageFont.load_default(size)
    assert isinstance(default, ImageFont.FreeTypeFont)
    return default


@cache
def advance(letter: str, size: int, is_bold: bool = False) -> int:
    """Return the advance of a letter in whole pixels, so that text stays sharp."""
    return round(font(size, is_bold).getlength(letter))


def width_of(text: str, size: int, is_bold: bool = False) -> int:
    return sum(advance(letter, size, is_bold) for letter in text)


def glyph_box(letter: str, size: int, is_bold: bool) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of a letter, from the pen on the baseline."""
    left, top, right, bottom = font(size, is_bold).getbbox(letter, anchor="ls")
    return int(left), int(top), int(right), int(bottom)


def glyph(letter: str, size: int, is_bold: bool) -> Image.Image:
    """Return a letter in white, which is tinted when it is drawn."""
    left, top, right, bottom = glyph_box(letter, size, is_bold)
    draws = Image.new("L", (right - left, bottom - top))
    draw = ImageDraw.Draw(draws)
    draw.text((-left, -top), letter, fill=255, font=font(size, is_bold), anchor="ls")
    image = Image.new("RGBA", draws.size, "white")
    image.putalpha(draws)
    return image


def cut(text: str, width: float, size: int, is_bold: bool = False) -> str:
    """Return a text that fits, with an ellipsis if it was cut."""
    if width_of(text, size, is_bold) <= width:
        return text
    room = width - advance(ELLIPSIS, size, is_bold)
    kept = 0
    for letter in text:
        room -= advance(letter, size, is_bold)
        if room < 0:
            break
        kept += 1
    return text[:kept].rstrip() + ELLIPSIS if kept else ""


def wrapped(text: str, width: float, size: int, is_bold: bool = False) -> list[str]:
    """Return a text in lines that fit; a word longer than a line is cut into pieces."""
    lines, line = [], ""
    for word in _pieces(text, width, size, is_bold):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer, size, is_bold) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _pieces(text: str, width: float, size: int, is_bold: bool) -> Iterator[str]:
    for word in text.split():
        piece, used = "", 0
        for letter in word:
            step = advance(letter, size, is_bold)
            if piece and used + step > width:
                yield piece
                piece, used = "", 0
            piece, used = piece + letter, used + step
        yield piece
