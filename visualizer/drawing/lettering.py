"""Letters: their pictures, their widths, and what of a text fits."""

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from engine.support.sanitizing import make_printable

FOLDER = Path(__file__).parents[2] / "resources/fonts"
REGULAR, BOLD = "Inter-Regular.otf", "Inter-SemiBold.otf"
"""The font files. Their digits all have one width."""
CAP_HEIGHT = 0.73
"""The height of capitals, as a share of the size, for centering a line."""
MIN_LETTER_PX = 9
"""The least size of letters, pixels: smaller ones cannot be read."""
MAX_TEXT_LENGTH = 200
"""The most letters of a text that are shown: names are untrusted."""
ELLIPSIS = "…"
MAX_CACHED_WIDTHS = 4_000


@cache
def font(size: int, is_bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font, with Pillow's basic layout: the other one needs libraqm."""
    name = BOLD if is_bold else REGULAR
    return ImageFont.truetype(FOLDER / name, size, layout_engine=ImageFont.Layout.BASIC)


def size_in_pixels(pixels: float) -> int:
    """Return the size of letters that are drawn where this one is asked for."""
    return max(MIN_LETTER_PX, round(pixels))


def strip_controls(text: str) -> str:
    """Return a text without characters that break the line or change the writing direction."""
    return make_printable(text[:MAX_TEXT_LENGTH])


@cache
def advance(letter: str, size: int, is_bold: bool = False) -> int:
    """Return the advance of a letter in whole pixels, so that text stays sharp."""
    return round(font(size, is_bold).getlength(letter))


@lru_cache(MAX_CACHED_WIDTHS)
def fit_text(text: str, room: float | None, size: int, is_bold: bool) -> tuple[str, int]:
    """Return what is shown of a text where there is so much room, and its width."""
    shown = strip_controls(text) if room is None else cut(strip_controls(text), room, size, is_bold)
    return shown, text_width(shown, size, is_bold)


@lru_cache(MAX_CACHED_WIDTHS)
def text_width(text: str, size: int, is_bold: bool = False) -> int:
    return sum(advance(letter, size, is_bold) for letter in text)


def text_box(text: str, size: int, is_bold: bool) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of a text, from the pen on the baseline."""
    left, top, right, bottom = font(size, is_bold).getbbox(text, anchor="ls")
    return int(left), int(top), int(right), int(bottom)


def text_mask(text: str, size: int, is_bold: bool) -> Image.Image:
    """Return how much of each pixel of its box a text covers."""
    left, top, right, bottom = text_box(text, size, is_bold)
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    draw = ImageDraw.Draw(mask)
    draw.text((-left, -top), text, fill=255, font=font(size, is_bold), anchor="ls")
    return mask


def cut(text: str, width: float, size: int, is_bold: bool = False) -> str:
    """Return a text that fits, with an ellipsis if it was cut."""
    if text_width(text, size, is_bold) <= width:
        return text
    room = width - advance(ELLIPSIS, size, is_bold)
    fitting = 0
    for letter in text:
        room -= advance(letter, size, is_bold)
        if room < 0:
            break
        fitting += 1
    return text[:fitting].rstrip() + ELLIPSIS if fitting else ""


def wrap_text(text: str, width: float, size: int) -> list[str]:
    """Return a text in lines that fit; a word longer than a line is cut into pieces."""
    lines, line = [], ""
    for word in _break_words(text, width, size):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def _break_words(text: str, width: float, size: int) -> Iterator[str]:
    for word in text.split():
        piece, used = "", 0
        for letter in word:
            step = advance(letter, size)
            if piece and used + step > width:
                yield piece
                piece, used = "", 0
            piece, used = piece + letter, used + step
        yield piece
