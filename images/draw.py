"""Draws the README's picture: `python3 -m images.draw` writes images/slime_blue.png."""

from pathlib import Path

from PIL import Image, ImageDraw

SIDE = 256
SCALE = 4
"""Drawn four times as large and shrunk: smooth edges."""

BODY = (64, 132, 230, 235)
RIM = (28, 66, 140, 255)
SHINE = (214, 232, 255, 210)
EYE = (16, 28, 58, 255)
WHITE = (255, 255, 255, 255)

Box = tuple[float, float, float, float]


def draw_slime() -> Image.Image:
    """A blue slime on a transparent square, 256 pixels wide."""
    image = Image.new("RGBA", (SIDE * SCALE, SIDE * SCALE))
    pen = ImageDraw.Draw(image)
    pen.ellipse(_scaled((40, 206, 216, 238)), fill=(0, 0, 0, 50))
    _draw_body(pen, (28, 44, 228, 306), RIM)
    _draw_body(pen, (37, 53, 219, 297), BODY)
    pen.ellipse(_scaled((62, 72, 112, 108)), fill=SHINE)
    for left in (82, 142):
        pen.ellipse(_scaled((left, 120, left + 32, 164)), fill=WHITE)
        pen.ellipse(_scaled((left + 9, 132, left + 27, 160)), fill=EYE)
        pen.ellipse(_scaled((left + 18, 136, left + 25, 143)), fill=WHITE)
    pen.arc(_scaled((100, 150, 156, 190)), 20, 160, fill=EYE, width=5 * SCALE)
    return image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def _draw_body(pen: ImageDraw.ImageDraw, box: Box, colour: tuple[int, int, int, int]) -> None:
    """A dome with a rounded foot."""
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    pen.pieslice(_scaled(box), 180, 360, fill=colour)
    foot = (left, middle - 1, right, middle + (right - left) * 0.25)
    pen.rounded_rectangle(
        _scaled(foot), radius=34 * SCALE, fill=colour, corners=(False, False, True, True)
    )


def _scaled(box: Box) -> Box:
    left, top, right, bottom = (value * SCALE for value in box)
    return left, top, right, bottom


if __name__ == "__main__":
    draw_slime().save(Path(__file__).with_name("slime_blue.png"), optimize=True)
