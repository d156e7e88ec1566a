"""Shapes and bodies: frozen values. Places and directions are those of the world."""

import msgspec

from engine.games.game_of_death.orders import Command


class ShapeType(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A type of shapes of one army, with one drawing and the same code."""

    name: str
    mask: tuple[str, ...]
    """The drawing, trimmed: the right edge is the front."""
    code: str
    count: int
    """The number of shapes of it that were placed (rules 7.4)."""


class Shape(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A living or dying shape. Turns are those in which something began; 0 is never."""

    id: int
    """Teams take turns: 1 is of team 1, 2 of team 2, and so on."""
    type: int
    """The index of its type in its army's list."""
    x: int
    """The upper left cell of its bounding box."""
    y: int
    facing: int
    """0 E, 1 S, 2 W, 3 N in the world; at the start towards the enemy."""
    hp: int
    pending: Command | None = None
    """The move or turn that is under way."""
    pending_since: int = 0
    attacked: int = 0
    """The turn in which it last attacked."""
    capturing_since: int = 0
    calm_from: int = 0
    """The turn in which it was last hit."""
    dying_since: int = 0
    """The turn in which it was killed; in the next it runs `die`, then is a body (rules 6.17)."""


class Body(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The body of a dead shape: on the same cells, with the same id."""

    id: int
    type: int
    x: int
    y: int
    facing: int
    left: int
    """The damage it still takes before it is gone (rules 6.5)."""


def piece_team(shape_id: int, teams: int) -> int:
    """Return the team of a shape or body, in a match of this number of teams."""
    return (shape_id - 1) % teams + 1


def make_shape_id(team: int, number: int, teams: int) -> int:
    """Return the id of a team's nth shape, from 1. Alternating ids hide the enemies' numbers."""
    return teams * (number - 1) + team


def shape_number(shape_id: int, teams: int) -> int:
    """Return a shape's number within its team, from 1."""
    return (shape_id - 1) // teams + 1
