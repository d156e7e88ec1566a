"""What a bot may answer: a design before the battle, then an action for each shape and turn."""

from enum import StrEnum
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from engine.game import Refusal
from engine.games.game_of_death.settings import Settings


class Command(StrEnum):
    """The major actions, of which a shape takes at most one in a turn (rules 5.2)."""

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


class Action(NamedTuple):
    """What a shape does in a turn: a major action, and its broadcasts.

    A tuple is encoded as an array, so that a decoder tells it from a design without a tag.
    """

    command: Command
    broadcasts: tuple[str, ...] = ()


class TypeDesign(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The design of a type; `code` is its source text, for disclosure (rules 3.1, 7.4)."""

    name: str
    mask: tuple[str, ...]
    code: str = ""


Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]


class Placement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A shape to place: its type's number, and its upper left cell in the player's frame."""

    type: Coordinate
    u: Coordinate
    v: Coordinate


class Design(msgspec.Struct, frozen=True):
    """The design of an army (rules 3)."""

    types: tuple[TypeDesign, ...]
    placements: tuple[Placement, ...]


Order = Command | Action | Design
"""An order without broadcasts is the command alone: most are, and replays stay small."""

COMMANDS = {str(command): command for command in Command}
ACTIONS = {str(command): Action(command) for command in Command}


def parse_action(answer: object, settings: Settings) -> Command | Action | Refusal:
    """Return the order of an answer: `null`, a command, or `[command, [broadcasts]]`."""
    if answer is None:
        return Command.CONTINUE
    broadcasts: object = ()
    if (type(answer) is list or type(answer) is tuple) and len(answer) == 2:
        answer, broadcasts = answer
    command = COMMANDS.get(answer) if type(answer) is str else None
    if command is None:
        expected = ", ".join(COMMANDS)
        return Refusal(f"{answer!r:.60} is not a valid action; expected one of {expected}")
    if not broadcasts:
        return command if type(broadcasts) in (list, tuple) else _no_broadcasts(broadcasts)
    return _parse_broadcasts(command, broadcasts, settings)


def _parse_broadcasts(command: Command, broadcasts: object, settings: Settings) -> Action | Refusal:
    if not (type(broadcasts) is list or type(broadcasts) is tuple):
        return _no_broadcasts(broadcasts)
    if len(broadcasts) > settings.broadcasts_per_turn:
        return Refusal(
            f"{len(broadcasts)} broadcasts in a turn; {settings.broadcasts_per_turn} are allowed"
        )
    for text in broadcasts:
        why = why_not_broadcast(text, settings)
        if why is not None:
            return Refusal(why)
    return Action(command, tuple(broadcasts))


def _no_broadcasts(broadcasts: object) -> Refusal:
    return Refusal(f"broadcasts must be a list of texts, not {broadcasts!r:.60}")


def why_not_broadcast(text: object, settings: Settings) -> str | None:
    """Return why a text cannot be broadcast, None if it can (rules 5.5)."""
    if type(text) is not str:
        return f"a message must be a text, not {text!r:.60}"
    if len(text) > settings.message_max:
        return f"a message of {len(text)} characters; {settings.message_max} are allowed"
    if not text.isprintable():
        return f"a message must be printable in one line, not {text!r:.60}"
    return None
