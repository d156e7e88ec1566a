"""What a step shows on the board for a moment: signs where something happened."""

from collections.abc import Iterator, Mapping
from functools import partial

import msgspec
from PIL import Image

from visualizer.drawing import icon_pictures, icons, measures
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.fit import Fit
from visualizer.drawing.geometry import Point, areas, sign_color, width_and_height
from visualizer.model.cursor import Step
from visualizer.scene import Annotation, AnyScene, Extent, Mark, Thing, middle_of_thing
from visualizer.theme import MARK_COLORS, MARK_RIM, MARK_RIMS


class Sign(msgspec.Struct, frozen=True):
    """A mark, and where it is on the board."""

    mark: Mark
    at: Point
    """The middle of the one."""
    other: Point | None = None
    """The middle of the other, if there is one."""
    piece_id: int = 0
    """The thing the sign moves with; 0 if it links two."""
    size: float = 1.0
    """The larger side of the one, squares."""
    color: str = ""
    """The color of its attack lanes."""
    attack_lanes: tuple[Extent, ...] = ()
    opacity: float = 1.0


def make_signs(scene: AnyScene, step: Step, things: Mapping[int, Thing]) -> Iterator[Sign]:
    """Yield the signs of a step; `things` are those after it."""
    for annotation in step.annotations:
        mark = scene.event_styles[annotation.event_style].mark
        one = step.find(annotation.one, things)
        if mark is not None and one is not None:
            other = step.find(annotation.other, things) if annotation.other else None
            yield _sign(scene, annotation, mark, one, other)


def _sign(
    scene: AnyScene, annotation: Annotation, mark: Mark, one: Thing, other: Thing | None
) -> Sign:
    return Sign(
        mark,
        middle_of_thing(one),
        other=None if other is None else middle_of_thing(other),
        piece_id=annotation.one if other is None else 0,
        size=max(width_and_height(one)),
        color=sign_color(scene, one, mark),
        attack_lanes=areas(one, annotation),
    )


def draw_board_sign(draws: AnyDrawList, fit: Fit, sign: Sign, opacity: float = 1.0) -> None:
    """Draw a sign where it is on a board."""
    opacity *= sign.opacity
    for lane in sign.attack_lanes:
        draws.rect(fit.pixel_rect(*lane), sign.color, measures.LANE_OPACITY * opacity)
    if sign.mark is Mark.ATTACK_LANE:
        return
    at = fit.to_pixels(*sign.at)
    x, y = at if sign.other is None else fit.to_pixels(*sign.other)
    way = round(x - at[0], 1), round(y - at[1], 1)
    key = ("board sign", sign.mark, fit.scale, way, sign.size, opacity)
    draws.stamp(key, at, partial(_draw_at, draws, fit.scale, sign, way, opacity))


def _draw_at(
    draws: AnyDrawList, scale: float, sign: Sign, way: Point, opacity: float, x: float, y: float
) -> None:
    """Draw the sign of the one at `x`, `y`; the way from there leads to the other."""
    # On boards of thousands of squares a sign in scale would be a few pixels.
    side = max(scale, measures.MIN_SIGN_SCALE)
    if sign.other is not None and sign.mark in measures.LINKING_SIGNS:
        start, stop = (x, y), (x + way[0], y + way[1])
        if sign.mark is Mark.JOIN:
            start, stop = stop, start
        _draw_link(draws, (start, stop), sign.mark, scale, opacity)
        x, y = stop
    aside = measures.SIGN_CORNER * side if sign.mark in measures.CORNER_SIGNS else 0
    size = side * measures.SIGN_SIZES.get(sign.mark, measures.SIGN_WIDTH)
    draw_sign(draws, sign.mark, x - aside, y - aside, size, opacity)


def draw_sign(
    draws: AnyDrawList, mark: Mark, x: float, y: float, size: float, opacity: float = 1.0
) -> None:
    """Draw a sign around a place."""
    paint = partial(_paint_sign, icons.SIGNS[mark], mark)
    draws.picture(("sign", mark), paint, (x, y, size), opacity=opacity)


def _paint_sign(shape: icons.SignShape, mark: Mark, pixels: int) -> Image.Image:
    return icon_pictures.sign(shape, pixels, MARK_COLORS[mark], MARK_RIMS.get(mark, MARK_RIM))


def _draw_link(
    draws: AnyDrawList, way: tuple[Point, Point], mark: Mark, scale: float, opacity: float
) -> None:
    """Draw a line that leaves both ends visible."""
    (x, y), (to_x, to_y) = way
    if abs(to_x - x) + abs(to_y - y) < 1:
        return
    line = [
        (x + (to_x - x) * share, y + (to_y - y) * share)
        for share in (measures.LINK_BEGIN, measures.LINK_END)
    ]
    width = max(measures.MIN_LINK_WIDTH, measures.LINK_WIDTH * scale)
    draws.line(
        line,
        width + measures.LINK_RIM,
        MARK_RIMS.get(mark, MARK_RIM),
        opacity * measures.RIM_OPACITY,
    )
    draws.line(line, width, MARK_COLORS[mark], opacity)
