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
SIGN_AT, ARM, LINE = 72, 28, 19
"""A sign's distance from the middle, across and down; half its length; its width."""
SIGNS = (
    (-1, -1, DIP, HILL),
    (1, -1, ACID, BASE),
    (-1, 1, BARE, SUGAR),
)
"""The signs: the side, up or down, and what is a minus and a plus there."""


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
    for across, down, minus, plus in SIGNS:
        x, y = MIDDLE + across * SIGN_AT, MIDDLE + down * SIGN_AT
        if terrain & (minus | plus):
            canvas.stroke([(x - ARM, y), (x + ARM, y)], SIGN_INK, LINE)
        if terrain & plus:
            canvas.stroke([(x, y - ARM), (x, y + ARM)], SIGN_INK, LINE)
    return canvas


def around(share: float) -> Point:
    """Return a place on the rim, clockwise from the top."""
    angle = tau * (share - 0.25)
    return MIDDLE + SPOTS_AT * cos(angle), MIDDLE + SPOTS_AT * sin(angle)


def square(reach: float) -> Path:
    low, high = MIDDLE - reach, MIDDLE + reach
    return [(low, low), (high, low), (high, high), (low, high)]
