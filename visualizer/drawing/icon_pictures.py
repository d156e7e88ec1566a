"""Small pictures of buttons, marks on the timeline and signs on the board, drawn by Pillow."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from visualizer.drawing.icons import GRID_SIDE, RIM, Dot, Part, Shape, SignShape

OVERSAMPLING = 6
"""Icons are drawn so many times larger and scaled down."""


def icon(parts: Sequence[Part], size: int) -> Image.Image:
    """Return an icon in white, which is tinted when it is drawn."""
    image = Image.new("RGBA", (size, size), "white")
    image.putalpha(_coverage(parts, size, 0))
    return image


def sign(shape: SignShape, size: int, color: str, rim: str) -> Image.Image:
    """Return a sign with a rim, visible on every ground."""
    image = Image.new("RGBA", (size, size), rim)
    image.putalpha(_coverage(shape.parts, size, shape.rim))
    for parts, shade in ((shape.parts, color), (shape.over, rim)):
        layer = Image.new("RGBA", (size, size), shade)
        layer.putalpha(_coverage(parts, size, 0))
        image.alpha_composite(layer)
    return image


def _coverage(parts: Sequence[Part], size: int, wider: float) -> Image.Image:
    """Return the coverage of each pixel; `wider` is added on every side."""
    side = size * OVERSAMPLING
    scale = side / (GRID_SIDE + 2 * RIM)
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)
    for part in parts:
        _draw_icon_part(draw, part, scale, wider)
    return mask.resize((size, size), Image.Resampling.BOX)


def _draw_icon_part(draw: ImageDraw.ImageDraw, part: Part, scale: float, wider: float) -> None:
    if isinstance(part, Dot):
        _draw_dot(draw, part, scale, wider)
        return
    points = [((x + RIM) * scale, (y + RIM) * scale) for x, y in part.points]
    if isinstance(part, Shape):
        draw.polygon(points, fill=255)
        points, width = [*points, points[0]], 2 * wider
    else:
        width = part.width + 2 * wider
    if width:
        draw.line(points, fill=255, width=round(width * scale))
        radius = width * scale / 2
        for x, y in points:
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _draw_dot(draw: ImageDraw.ImageDraw, dot: Dot, scale: float, wider: float) -> None:
    x, y = (dot.x + RIM) * scale, (dot.y + RIM) * scale
    radius = (dot.radius + wider) * scale
    box = (x - radius, y - radius, x + radius, y + radius)
    if dot.width:
        draw.ellipse(box, outline=255, width=round((dot.width + 2 * wider) * scale))
    else:
        draw.ellipse(box, fill=255)
