"""The flags of the Game of Death: a cloth on a pole in a team's color, each with its sign."""

from resources.sprites.canvas import Canvas, Fade, mixed
from resources.sprites.paths import Path, curve, oval
from visualizer.scenes.game_of_death import GameOfDeathScene

WOOD, WOOD_EDGE, KNOB = "#a9703c", "#3b2412", "#ffd166"
WHITE, INK = "#ffffff", "#10161d"
EDGE = 10
POLE = 72.0
"""The place of the pole, from the left."""


def draw_flag(team: int) -> Canvas:
    """Draw a flag; the teams' signs are a disc, a stripe, a cross and a white half."""
    canvas = Canvas()
    color = GameOfDeathScene.team_color(team)
    pole = [(POLE, 30.0), (POLE, 246.0)]
    canvas.stroke(pole, WOOD_EDGE, 16 + 2 * EDGE)
    cloth = wave(36, 156)
    canvas.shape(cloth, Fade(mixed(color, WHITE, 0.15), color, 36, 156), INK, EDGE)
    for sign in SIGNS[team]:
        canvas.fill(sign, WHITE, within=cloth)
    canvas.stroke(pole, WOOD, 16)
    canvas.shape(oval(POLE, 22, 15), KNOB, WOOD_EDGE, EDGE * 0.7)
    return canvas


def wave(top: float, bottom: float) -> Path:
    """Return the path of a waving cloth between two heights, from the pole to the right."""
    upper = curve((POLE, top), (112, top - 14), (168, top + 16), (236, top + 2))
    lower = curve((236, bottom + 2), (168, bottom + 16), (112, bottom - 14), (POLE, bottom))
    return [*upper, *lower]


def upright(left: float, right: float) -> Path:
    """Return the path of a band from the top of the cloth to its bottom."""
    return [(left, 0.0), (right, 0.0), (right, 200.0), (left, 200.0)]


SIGNS: dict[int, tuple[Path, ...]] = {
    1: (oval(156, 98, 30),),
    2: (wave(82, 116),),
    3: (wave(84, 110), upright(141, 167)),
    4: (upright(156, 240),),
}
"""What is white on the cloth of each team."""
