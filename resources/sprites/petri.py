"""The sprites of SMAC's petri dish: round stacks of slime, and plates of terrain.

A team has its color, and as many spots as its number.
"""

from math import cos, sin, tau

from engine.games.smac.terrain import ACID, BARE, BASE, DIP, HILL, SUGAR
from resources.sprites.canvas import Canvas, mixed
from resources.sprites.paths import Path, Point, curve, oval
from visualizer.scenes.smac.themes import TAN, TEAM_COLORS

INK, WHITE, SHADOW = "#1c2233", "#ffffff", "#10151b70"
MIDDLE, RADIUS = 128, 100
SHADE = 14
"""The offset of the shadow to the lower right."""
EDGE = 9
SPOT, SPOTS_AT = 9, 89

GLEAM = curve((58, 104), (76, 74), (106, 56))
"""The color of the highlight on the upper left of a stack."""

SIGN_INK, PLATE_EDGE = "#3d2b12", "#a88a55"
PLATE = 116
"""Half the side of a plate."""
SIGN_AT, ARM, LINE = 72, 30, 17
"""A sign's distance from the middle, across and down; half its length; the width of its lines."""


def draw_stack(team: int, *, is_new: bool) -> Canvas:
    """Draw a stack from above; a new one has no shadow yet."""
    color, canvas = TEAM_COLORS[team - 1], Canvas()
    if not is_new:
        canvas.fill(oval(MIDDLE + SHADE, MIDDLE + SHADE, RADIUS + EDGE), SHADOW)
    body = oval(MIDDLE, MIDDLE, RADIUS)
    canvas.shape(body, mixed(color, INK, 0.14), mixed(color, INK, 0.6), EDGE)
    canvas.fill(oval(MIDDLE - 6, MIDDLE - 6, RADIUS - 8), color)
    canvas.stroke(GLEAM, mixed(color, WHITE, 0.5), 11)
    for spot in range(team):
        x, y = around(spot / team)
        canvas.fill(oval(x, y, SPOT), mixed(color, WHITE, 0.82))
    return canvas


def draw_terrain(terrain: int) -> Canvas:
    """Draw a tan plate: relief in the upper left, base upper right, production lower left."""
    canvas = Canvas()
    canvas.shape(square(PLATE - EDGE), TAN, PLATE_EDGE, EDGE)
    for flag, (across, down, draw) in SIGNS.items():
        if terrain & flag:
            draw(canvas, MIDDLE + across * SIGN_AT, MIDDLE + down * SIGN_AT)
    return canvas


def _hill(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill([(x - ARM, y + ARM), (x, y - ARM), (x + ARM, y + ARM)], SIGN_INK)


def _dip(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill([(x - ARM, y - ARM), (x, y + ARM), (x + ARM, y - ARM)], SIGN_INK)


def _base(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill(
        [(x - ARM, y - ARM), (x + ARM, y - ARM), (x + ARM, y + ARM), (x - ARM, y + ARM)], SIGN_INK
    )


def _acid(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill(oval(x, y, ARM), SIGN_INK)
    canvas.fill(oval(x, y, ARM - LINE), TAN)


def _sugar(canvas: Canvas, x: float, y: float) -> None:
    reach = 1.2 * ARM
    canvas.fill([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], SIGN_INK)


def _bare(canvas: Canvas, x: float, y: float) -> None:
    canvas.stroke([(x - ARM, y - ARM), (x + ARM, y + ARM)], SIGN_INK, LINE)
    canvas.stroke([(x - ARM, y + ARM), (x + ARM, y - ARM)], SIGN_INK, LINE)


SIGNS = {
    HILL: (-1, -1, _hill),
    DIP: (-1, -1, _dip),
    BASE: (1, -1, _base),
    ACID: (1, -1, _acid),
    SUGAR: (-1, 1, _sugar),
    BARE: (-1, 1, _bare),
}
"""What is drawn for each flag of a terrain: the side, up or down, and its sign."""


def around(share: float) -> Point:
    """Return a place on the rim, clockwise from the top."""
    angle = tau * (share - 0.25)
    return MIDDLE + SPOTS_AT * cos(angle), MIDDLE + SPOTS_AT * sin(angle)


def square(reach: float) -> Path:
    low, high = MIDDLE - reach, MIDDLE + reach
    return [(low, low), (high, low), (high, high), (low, high)]
