"""Buttons, marks on the timeline and signs on the board, as shapes.

Each is a list of strokes on a square of 24 units, so that it is sharp at any size.
"""

from collections.abc import Mapping, Sequence
from math import cos, radians, sin
from typing import NamedTuple

GRID_SIDE = 24
STROKE_WIDTH = 2.4
RIM, THIN_RIM = 2.6, 0.7
"""The widths of rims; rings around a thing have the thin one, which hides less of it."""

Point = tuple[float, float]


class Stroke(NamedTuple):
    """A line through points, with round ends."""

    points: Sequence[Point]
    width: float = STROKE_WIDTH


class Shape(NamedTuple):
    """A filled polygon."""

    points: Sequence[Point]


class Dot(NamedTuple):
    """A filled circle, or a ring of some width."""

    x: float
    y: float
    radius: float
    width: float = 0


Part = Stroke | Shape | Dot


def _arc_points(x: float, y: float, radius: float, start: float, stop: float) -> list[Point]:
    """Return an arc between two angles, degrees clockwise from the right."""
    steps = [radians(start + (stop - start) * n / 24) for n in range(25)]
    return [(x + radius * cos(a), y + radius * sin(a)) for a in steps]


def _star_points(x: float, y: float, radius: float, points: int, inner: float) -> list[Point]:
    corners = []
    for n in range(2 * points):
        length, angle = radius * (inner if n % 2 else 1), radians(180 * n / points - 90)
        corners.append((x + length * cos(angle), y + length * sin(angle)))
    return corners


def _chevron_stroke(x: float, way: int, y: float = 12, size: float = 5) -> Stroke:
    return Stroke([(x - way * size / 2, y - size), (x + way * size / 2, y),
                   (x - way * size / 2, y + size)])  # fmt: skip


def _diamond_shape(x: float, y: float, radius: float) -> Shape:
    return Shape([(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)])


LENS = Dot(10, 10, 7, 2.2), Stroke([(15.4, 15.4), (20, 20)], 3)

BUTTONS: Mapping[str, Sequence[Part]] = {
    "restart": [_chevron_stroke(14.5, -1), Stroke([(7, 7), (7, 17)])],
    "turn_back": [_chevron_stroke(8.5, -1), _chevron_stroke(15.5, -1)],
    "step_back": [_chevron_stroke(12, -1)],
    "play": [Shape([(8, 5), (19, 12), (8, 19)])],
    "pause": [Stroke([(9, 6.5), (9, 17.5)], 3.4), Stroke([(15, 6.5), (15, 17.5)], 3.4)],
    "step_on": [_chevron_stroke(12, 1)],
    "turn_on": [_chevron_stroke(8.5, 1), _chevron_stroke(15.5, 1)],
    "end": [_chevron_stroke(9.5, 1), Stroke([(17, 7), (17, 17)])],
    "mark_back": [_chevron_stroke(7, -1), _diamond_shape(16, 12, 4.6)],
    "mark_on": [_chevron_stroke(17, 1), _diamond_shape(8, 12, 4.6)],
    "slower": [Stroke([(6.5, 12), (17.5, 12)])],
    "faster": [Stroke([(6.5, 12), (17.5, 12)]), Stroke([(12, 6.5), (12, 17.5)])],
    "fastest": [Shape([(13.5, 3), (5.5, 13.5), (11, 13.5), (9.5, 21), (18.5, 10), (12.6, 10)])],
    "zoom_in": [*LENS, Stroke([(7, 10), (13, 10)], 2), Stroke([(10, 7), (10, 13)], 2)],
    "zoom_out": [*LENS, Stroke([(7, 10), (13, 10)], 2)],
    "zoom_fit": [
        Shape([(9, 9), (15, 9), (15, 15), (9, 15)]),
        Stroke([(5, 8.5), (5, 5), (8.5, 5)]),
        Stroke([(15.5, 5), (19, 5), (19, 8.5)]),
        Stroke([(19, 15.5), (19, 19), (15.5, 19)]),
        Stroke([(8.5, 19), (5, 19), (5, 15.5)]),
    ],
    "light": [Dot(12, 12, 8.5, STROKE_WIDTH), Shape([*_arc_points(12, 12, 8.5, -90, 90)])],
    "full_screen": [
        Stroke([(5, 9.5), (5, 5), (9.5, 5)]),
        Stroke([(14.5, 5), (19, 5), (19, 9.5)]),
        Stroke([(19, 14.5), (19, 19), (14.5, 19)]),
        Stroke([(9.5, 19), (5, 19), (5, 14.5)]),
    ],
    "help": [
        Stroke([*_arc_points(12, 8.8, 4, -170, 50), (12, 13.4), (12, 14.6)]),
        Dot(12, 18.8, 1.6),
    ],
    "close": [Stroke([(7, 7), (17, 17)]), Stroke([(17, 7), (7, 17)])],
}
"""The icons of buttons, by the name of the action."""


class SignShape(NamedTuple):
    """A sign: its parts, how wide its rim is, and what lies on it in the rim's color."""

    parts: Sequence[Part]
    rim: float = RIM
    over: Sequence[Part] = ()


RING = SignShape([Dot(12, 12, 10, 2.2)])
SIGNS: Mapping[str, SignShape] = {
    "strike": SignShape([Shape(_star_points(12, 12, 10.5, 8, 0.45))]),
    "death": SignShape(
        [Stroke([(5.5, 5.5), (18.5, 18.5)], 4.4), Stroke([(18.5, 5.5), (5.5, 18.5)], 4.4)]
    ),
    "birth": RING,
    "join": SignShape(
        [Stroke(_arc_points(12, 12, 10, turn, turn + 48), 2.4) for turn in range(21, 360, 90)]
    ),
    "rise": SignShape(
        [Stroke([(6, 12), (12, 6), (18, 12)], 3.4), Stroke([(6, 19), (12, 13), (18, 19)], 3.4)]
    ),
    "fault": SignShape(
        [Shape([(12, 2.5), (22.4, 20.5), (1.6, 20.5)])],
        over=[Stroke([(12, 9), (12, 14)], 2.6), Dot(12, 17.6, 1.5)],
    ),
    "blocked": SignShape([Dot(12, 12, 8.4, 3.4), Stroke([(6.6, 17.4), (17.4, 6.6)], 3.4)]),
    "hit": SignShape([Shape(_star_points(12, 12, 10.5, 6, 0.5))]),
    "call": SignShape(
        [Shape([(3, 4), (21, 4), (21, 16), (12, 16), (7, 21.5), (7, 16), (3, 16)])],
        over=[Dot(7.8, 10, 1.6), Dot(12, 10, 1.6), Dot(16.2, 10, 1.6)],
    ),
    "attack_lane": SignShape([Shape([(2, 8), (22, 8), (22, 16), (2, 16)])]),
    "contest": SignShape(
        [Shape([(1.5, 4), (11, 12), (1.5, 20)]), Shape([(22.5, 4), (13, 12), (22.5, 20)])]
    ),
    "special": SignShape([Shape(_star_points(12, 12.8, 11.5, 5, 0.42))]),
    "flag": SignShape([Stroke([(6, 3), (6, 21)], 2.6), Shape([(7, 3), (20, 7.5), (7, 12)])]),
    "lead": SignShape([_diamond_shape(12, 12, 10.5)]),
    "end": SignShape([Shape([(4, 4), (20, 4), (20, 20), (4, 20)])]),
}
"""The signs, by visualizer.scene.Mark; rings go around the other one. They are the same on boards,
timelines, in lists and legends: color is never the only difference."""
LETTERS: Mapping[str, str] = {
    "strike": "*", "death": "\u00d7", "birth": "○", "join": "●", "rise": "^", "fault": "!",
    "contest": "≠", "special": "★", "flag": "⚑", "lead": "◆", "end": "■", "hit": "*",
}  # fmt: skip
"""What stands for a sign in a terminal."""
