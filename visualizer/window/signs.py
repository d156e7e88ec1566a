"""What a step leaves on the board for a moment: signs where something happened, and motion."""

from collections.abc import Iterator

import msgspec

from visualizer.cursor import Cursor
from visualizer.places import Area, Point, areas, middle, sides, sign_colour
from visualizer.scene import Mark, Note, Sprite, Thing


class Sign(msgspec.Struct, frozen=True):
    """Where it is on the board, and since when."""

    mark: Mark
    at: Point
    other: Point | None
    since: float
    """Seconds of the showing's clock."""
    size: float
    """How wide or high the one is, squares."""
    colour: str
    reach: tuple[Area, ...] = ()


class Move(msgspec.Struct, frozen=True):
    """A thing on its way from where it was."""

    came_from: Point
    since: float


def signs_of(cursor: Cursor, now: float) -> Iterator[Sign]:
    """Of the step that led to where the cursor is."""
    for note in cursor.step.notes:
        mark = cursor.film.scene.happenings[note.happening].mark
        one = _look(cursor, note.one)
        if mark is not None and one is not None:
            other = _other(cursor, note)
            colour = sign_colour(cursor.film.scene, one, mark)
            yield Sign(mark, middle(one), other, now, max(sides(one)), colour, areas(one, note))


def moves_of(cursor: Cursor, now: float) -> Iterator[tuple[int, Move]]:
    """Of the sprites that the step moved."""
    for thing_id, before in cursor.step.before.items():
        after = cursor.things.get(thing_id)
        if not isinstance(before, Sprite) or not isinstance(after, Sprite):
            continue
        if (before.x, before.y) != (after.x, after.y):
            yield thing_id, Move((before.x, before.y), now)


def _look(cursor: Cursor, thing_id: int) -> Thing | None:
    """As it is now; if it is gone, as it was before."""
    return cursor.things.get(thing_id) or cursor.step.before.get(thing_id)


def _other(cursor: Cursor, note: Note) -> Point | None:
    other = _look(cursor, note.other) if note.other else None
    return None if other is None else middle(other)
