"""What may be answered: a design before the battle, then an act for each shape and turn."""

from enum import StrEnum
from typing import NamedTuple

import msgspec


class Command(StrEnum):
    """The major actions, of which a shape takes one in a turn at most (rules 5.2)."""

    CONTINUE = "continue"
    """No new action: what is pending goes on."""
    REST = "rest"
    MOVE_FORWARD = "move forward"
    MOVE_RIGHT = "move right"
    MOVE_BACKWARD = "move backward"
    MOVE_LEFT = "move left"
    TURN_CW = "turn cw"
    TURN_CCW = "turn ccw"
    CAPTURE = "capture"
    ATTACK_FORWARD = "attack forward"
    ATTACK_RIGHT = "attack right"
    ATTACK_BACKWARD = "attack backward"
    ATTACK_LEFT = "attack left"
    SUICIDE = "suicide"

    __hash__ = str.__hash__  # Enum's own is written in Python, and every order is looked up


class Act(NamedTuple):
    """What a shape does in a turn: a major action, and what it broadcasts.

    A tuple, so that a decoder tells it from a design without a tag in each of thousands.
    """

    do: Command
    say: tuple[str, ...] = ()


class Drawn(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A type as it was designed; `code` is its source text, for disclosure (rules 3.1, 7.4)."""

    name: str
    mask: tuple[str, ...]
    code: str = ""


class Placement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A shape to be: the number of its type, and its upper left cell in the player's frame."""

    type: int
    u: int
    v: int


class Design(msgspec.Struct, frozen=True):
    """An army (rules 3)."""

    types: tuple[Drawn, ...]
    placements: tuple[Placement, ...]


Order = Act | Design
