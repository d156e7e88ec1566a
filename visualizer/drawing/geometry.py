"""Places and sizes of things on the board, in squares."""

from collections.abc import Iterator
from typing import NamedTuple

from visualizer.drawing.outline import parse_cells
from visualizer.scene import Annotation, AnyScene, Block, Mark, Thing, Tile
from visualizer.theme import MARK_COLORS

Point = tuple[float, float]


class Area(NamedTuple):
    """A rectangle of the board."""

    left: float
    top: float
    right: float
    bottom: float


def width_and_height(thing: Thing) -> tuple[float, float]:
    """Return width and height."""
    if isinstance(thing, Tile | Block):
        return thing.width, thing.height
    return thing.size, thing.size


def squares(block: Block) -> Iterator[Point]:
    """Yield the upper left corner of each square of a block."""
    return ((block.x + x, block.y + y) for x, y in parse_cells(block.cells))


def areas(one: Thing, annotation: Annotation) -> tuple[Area, ...]:
    """Return the rectangles that an attack of the one covers."""
    return tuple(
        Area(one.x + left, one.y + top, one.x + left + width, one.y + top + height)
        for left, top, width, height in annotation.attack_lanes
    )


def sign_color(scene: AnyScene, one: Thing, mark: Mark) -> str:
    """Return the color of a mark; an attack lane has that of the one's team, if it has one."""
    facts = scene.kinds[one.kind].facts
    if mark is not Mark.ATTACK_LANE or "team" not in facts:
        return MARK_COLORS[mark]
    return scene.team_color(int(one.facts[facts.index("team")]))
