"""Where things are, and what of the board is theirs. Lengths are in squares."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from visualizer.outline import cells_of
from visualizer.scene import Block, Mark, Note, Scene, Thing, Tile
from visualizer.theme import MARK_COLOURS

Point = tuple[float, float]


class Area(NamedTuple):
    """A rectangle of the board."""

    left: float
    top: float
    right: float
    bottom: float


def middle(thing: Thing) -> Point:
    if isinstance(thing, Tile | Block):
        return thing.x + thing.width / 2, thing.y + thing.height / 2
    return thing.x, thing.y


def sides(thing: Thing) -> tuple[float, float]:
    """Width and height."""
    if isinstance(thing, Tile | Block):
        return thing.width, thing.height
    return thing.size, thing.size


def squares(block: Block) -> Iterator[Point]:
    """The upper left corner of each."""
    return ((block.x + x, block.y + y) for x, y in cells_of(block.cells))


def areas(one: Thing, note: Note) -> tuple[Area, ...]:
    """What the one reached."""
    return tuple(
        Area(one.x + left, one.y + top, one.x + left + width, one.y + top + height)
        for left, top, width, height in note.reach
    )


def sign_colour(scene: Scene[Any], one: Thing, mark: Mark) -> str:
    """What was reached has the colour of the one's team, if it is in one."""
    facts = scene.kinds[one.kind].facts
    if mark is not Mark.REACH or "team" not in facts:
        return MARK_COLOURS[mark]
    return scene.team_colour(int(one.facts[facts.index("team")]))
