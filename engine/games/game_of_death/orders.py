"""What may be answered: a design before the battle, then an act for each shape and turn."""

from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from engine.game import Refusal
from engine.games.game_of_death.settings import Settings


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

    A tuple, so that a decoder tells it from a design without a tag.
    """

    do: Command
    say: tuple[str, ...] = ()


class Drawn(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A type as it was designed; `code` is its source text, for disclosure (rules 3.1, 7.4)."""

    name: str
    mask: tuple[str, ...]
    code: str = ""


Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]


class Placement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A shape to be: the number of its type, and its upper left cell in the player's frame."""

    type: Coordinate
    u: Coordinate
    v: Coordinate


class Design(msgspec.Struct, frozen=True):
    """An army (rules 3)."""

    types: tuple[Drawn, ...]
    placements: tuple[Placement, ...]


Order = Command | Act | Design
"""Most shapes say nothing: then the command alone is the order, and all that is recorded."""

COMMANDS = {str(command): command for command in Command}
ACTS = {str(command): Act(command) for command in Command}


def parse_act(answer: Any, settings: Settings) -> Command | Act | Refusal:
    """`null`, a command, or `[command, [what it broadcasts]]`."""
    if answer is None:
        return Command.CONTINUE
    said: Any = ()
    if type(answer) in (list, tuple) and len(answer) == 2:
        answer, said = answer
    command = COMMANDS.get(answer) if type(answer) is str else None
    if command is None:
        return Refusal(f"{answer!r:.60} is no action; one of {', '.join(COMMANDS)}")
    if not said:
        return command if type(said) in (list, tuple) else _no_broadcasts(said)
    return _parse_said(command, said, settings)


def _parse_said(command: Command, said: Any, settings: Settings) -> Act | Refusal:
    if type(said) not in (list, tuple):
        return _no_broadcasts(said)
    if len(said) > settings.broadcasts_per_turn:
        return Refusal(
            f"{len(said)} broadcasts in a turn; {settings.broadcasts_per_turn} are allowed"
        )
    for text in said:
        why = why_no_message(text, settings)
        if why is not None:
            return Refusal(why)
    return Act(command, tuple(said))


def _no_broadcasts(said: Any) -> Refusal:
    return Refusal(f"broadcasts must be a list of texts, not {said!r:.60}")


def why_no_message(text: Any, settings: Settings) -> str | None:
    """Rules 5.5; None if it can be broadcast."""
    if type(text) is not str:
        return f"a message must be a text, not {text!r:.60}"
    if len(text) > settings.message_max:
        return f"a message of {len(text)} characters; {settings.message_max} are allowed"
    if not text.isprintable():
        return f"a message must be printable in one line, not {text!r:.60}"
    return None
