"""Places and sizes of things on the board, in squares."""

from visualizer.scene import Annotation, AnyScene, Block, Extent, Mark, Thing, Tile
from visualizer.theme import MARK_COLORS

Point = tuple[float, float]


def width_and_height(thing: Thing) -> tuple[float, float]:
    """Return width and height."""
    if isinstance(thing, Tile | Block):
        return thing.width, thing.height
    return thing.size, thing.size


def areas(one: Thing, annotation: Annotation) -> tuple[Extent, ...]:
    """Return the rectangles that an attack of the one covers."""
    return tuple(
        Extent(one.x + left, one.y + top, one.x + left + width, one.y + top + height)
        for left, top, width, height in annotation.attack_lanes
    )


def sign_color(scene: AnyScene, one: Thing, mark: Mark) -> str:
    """Return the color of a mark; an attack lane has that of the one's team, if it has one."""
    facts = scene.kinds[one.kind].facts
    if mark is not Mark.ATTACK_LANE or "team" not in facts:
        return MARK_COLORS[mark]
    return scene.team_color(int(one.facts[facts.index("team")]))
