"""What a step shows on the board for a moment: signs where something happened, and motion."""

from collections.abc import Iterator

import msgspec

from visualizer.drawing.geometry import Area, Point, areas, middle, sides, sign_color
from visualizer.model.cursor import Cursor
from visualizer.scene import Annotation, Mark, Sprite, Thing


class TimedSign(msgspec.Struct, frozen=True):
    """A sign: where it is on the board, and since when."""

    mark: Mark
    at: Point
    other: Point | None
    since: float
    """Seconds of the window's clock."""
    size: float
    """The larger side of the one, squares."""
    color: str
    attack_lanes: tuple[Area, ...] = ()


class Move(msgspec.Struct, frozen=True):
    """A thing gliding from where it was."""

    came_from: Point
    since: float


def signs_of(cursor: Cursor, now: float) -> Iterator[TimedSign]:
    """Yield the signs of the step that led to the cursor."""
    for annotation in cursor.step.annotations:
        mark = cursor.timeline.scene.event_styles[annotation.event_style].mark
        one = _thing(cursor, annotation.one)
        if mark is not None and one is not None:
            other = _other(cursor, annotation)
            color = sign_color(cursor.timeline.scene, one, mark)
            yield TimedSign(
                mark, middle(one), other, now, max(sides(one)), color, areas(one, annotation)
            )


def moves_of(cursor: Cursor, now: float) -> Iterator[tuple[int, Move]]:
    """Yield the motion of the sprites that the step moved."""
    for thing_id, before in cursor.step.before.items():
        after = cursor.things.get(thing_id)
        if not isinstance(before, Sprite) or not isinstance(after, Sprite):
            continue
        if (before.x, before.y) != (after.x, after.y):
            yield thing_id, Move((before.x, before.y), now)


def _thing(cursor: Cursor, thing_id: int) -> Thing | None:
    """Return a thing as it is now; if it was removed, as it was before."""
    return cursor.things.get(thing_id) or cursor.step.before.get(thing_id)


def _other(cursor: Cursor, annotation: Annotation) -> Point | None:
    other = _thing(cursor, annotation.other) if annotation.other else None
    return None if other is None else middle(other)
