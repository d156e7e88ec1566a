"""Shapes and bodies: frozen values. Places and directions are those of the world."""

import msgspec

from engine.games.game_of_death.orders import Command


class ShapeType(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A kind of shapes of one army: they look alike, and run the same code."""

    name: str
    mask: tuple[str, ...]
    """As drawn, trimmed: the right edge is the front."""
    code: str
    count: int
    """How many of it were placed (rules 7.4)."""


class Shape(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A living shape, or a dying one. Turns are those in which something began; 0 is never."""

    id: int
    """Odd for team 1, even for team 2."""
    type: int
    """Its place in its army's list of types."""
    x: int
    """Upper left cell of its bounding box."""
    y: int
    facing: int
    """0 E, 1 S, 2 W, 3 N in the world; team 1 starts with 0, team 2 with 2."""
    hp: int
    pending: Command | None = None
    """The move or turn that is under way."""
    pending_since: int = 0
    attacked: int = 0
    """When it last attacked."""
    capturing_since: int = 0
    calm_from: int = 0
    """When it was last hit."""
    dying_since: int = 0
    """In the next turn it runs `die`, and is a body at that turn's end (rules 6.17)."""


class Body(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a dead shape leaves: it lies as the shape stood, and has the shape's id."""

    id: int
    type: int
    x: int
    y: int
    facing: int
    left: int
    """The damage it still takes before it is gone (rules 6.5)."""


def team_of(shape_id: int) -> int:
    return 2 - shape_id % 2


def id_of(team: int, number: int) -> int:
    """Of the so-many-th shape of a team, from 1: no id tells how many the other team has."""
    return 2 * number + team - 2


def number_of(shape_id: int) -> int:
    """Which shape of its team it is, from 1."""
    return (shape_id + 1) // 2
