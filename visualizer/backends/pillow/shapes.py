"""Rounded boxes with smooth edges."""

from PIL import Image, ImageDraw

from visualizer.backends.pillow.layout import Box

FINE = 4
"""Drawn so many times as large as shown: Pillow's edges have steps."""


def paint_rounded(image: Image.Image, box: Box, radius: float, color: str) -> None:
    """Paint a box of one color (with an alpha channel if it is `#rrggbbaa`)."""
    mask = rounded_mask(box.size, radius)
    opacity = int(color[7:9] or "ff", 16)
    if opacity < 255:
        mask = mask.point(lambda shade: shade * opacity // 255)
    image.paste(color[:7], (*box.corner, box.right, box.bottom), mask)


def rounded_mask(size: tuple[int, int], radius: float) -> Image.Image:
    """Return the mask of a rounded box. Only its corners are drawn large: edges are straight."""
    width, height = size
    side = max(1, min(round(radius), width // 2, height // 2))
    mask = Image.new("L", size, 255)
    large = Image.new("L", (2 * side * FINE, 2 * side * FINE))
    ImageDraw.Draw(large).ellipse((0, 0, large.width - 1, large.height - 1), 255)
    disc = large.resize((2 * side, 2 * side), Image.Resampling.BOX)
    for left, x in ((0, 0), (side, width - side)):
        for top, y in ((0, 0), (side, height - side)):
            mask.paste(disc.crop((left, top, left + side, top + side)), (x, y))
    return mask
