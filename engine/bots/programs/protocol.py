"""The messages between the engine and a program (docs/protocol.md): one line of JSON each.

The program says hello, the engine answers with `start`, the program is `ready`; then one `answer`
to each `ask`. Whatever is changed here so that older programs no longer understand it, or are no
longer understood, needs a new VERSION.
"""

from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from engine.bot_output_api import NO_OUTPUT
from engine.game import Event
from engine.limits import Limits

VERSION = 1
NONCE_BITS = 53
"""Numbers of so many bits are exact in every language, in JavaScript and awk as well."""

Nonce = Annotated[int, Meta(ge=1, lt=1 << NONCE_BITS)]
Text = Annotated[str, Meta(max_length=60)]


class Wants(StrEnum):
    """What an ask tells of the match."""

    SNAPSHOTS = "snapshots"
    EVENTS = "events"


class Interrupts(StrEnum):
    """How a program learns that its time for an answer is over."""

    NONE = "none"
    LINE = "line"
    SIGNAL = "signal"


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """The first line of a program, which it writes before it reads any."""

    protocol: int
    name: Text = ""
    author: Text = ""
    version: Text = ""
    wants: Wants = Wants.SNAPSHOTS
    """`snapshots`: each ask has the whole state; `events`: what happened since the last ask."""
    legal: bool = False
    """Whether each ask lists the legal answers, where the game can list them."""
    interrupts: Interrupts = Interrupts.NONE
    """`line`: an interrupt is a line; `signal`: it is SIGUSR1; `none`: the program is replaced."""


class Start(msgspec.Struct, frozen=True, kw_only=True, tag="start"):
    """The engine's answer to the hello: the match as the team knows it now."""

    protocol: int
    game: str
    rules_version: int
    team: int
    """The program's team, from 1."""
    seed: str
    """A number of 128 bits in hex: for the program's own chance, the same in every playing."""
    limits: Limits
    notes: bool
    """Whether answers may have notes: always. Whether those are recorded is told to no bot."""
    state: msgspec.Raw
    """The state, with the settings in it."""


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The program has read the start, and can be asked."""


class EventAsk(msgspec.Struct, frozen=True, tag="ask"):
    """A decision is wanted, and this happened since the start or the last ask."""

    nonce: int
    piece: int
    """What the decision is about: the id of a slime or shape, the number of a board, or 0."""
    view: object
    """What the game shows besides; null in all games so far."""
    legal: object
    events: list[Event]


class SnapshotAsk(msgspec.Struct, frozen=True, tag="ask"):
    """A decision is wanted, and this is the state."""

    nonce: int
    piece: int
    view: object
    legal: object
    state: object


class HttpStart(Start, frozen=True, kw_only=True, tag="start"):
    """The start of a match for a bot that is asked over HTTP; it answers with its hello."""

    match: str
    """What this team's match is called in all its messages: new for each playing."""


class HttpAsk(msgspec.Struct, frozen=True, kw_only=True, tag="ask"):
    """A decision is wanted of a bot that is asked over HTTP."""

    match: str
    team: int
    nonce: int
    piece: int
    view: object
    legal: object
    state: object


class HttpEnd(msgspec.Struct, frozen=True, kw_only=True, tag="end"):
    """The match is over, for a bot that is asked over HTTP: what it answers is not looked at."""

    match: str
    team: int
    state: object
    """The state at the end."""


class Interrupt(msgspec.Struct, frozen=True, tag="interrupt"):
    """The time for this answer is over: drop what you think about, and answer anything."""

    nonce: int


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """The answer to an ask."""

    nonce: Nonce
    answer: object
    notes: msgspec.Raw = msgspec.field(default_factory=lambda: NO_OUTPUT)
    """What to draw and to log beside it, where `start` says that it is recorded."""


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """There is no answer to an ask, because of an error in the program, which goes on."""

    nonce: Nonce
    error: str
    notes: msgspec.Raw = msgspec.field(default_factory=lambda: NO_OUTPUT)


FromProgram = Hello | Ready | Answer | Failed
"""All that a program may write."""

SHOWN_BYTES = 80
"""How much is shown of a line that a program wrote."""

decode = msgspec.json.Decoder(FromProgram).decode

Said = TypeVar("Said")


class Misspoken(msgspec.MsgspecError):
    """A message is not what the protocol expects; the text is for the program's author."""


def message_in(
    content: bytes, kinds: tuple[type[Said], ...], expected: str, hint: str = ""
) -> Said:
    """Return a message of one of these kinds. Raises: Misspoken, with what came instead.

    `hint` is said of what is no message at all.
    """
    try:
        said = decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Misspoken(
            f"expected {expected}, and received: {abbreviate_line(content)} ({error}){hint}"
        ) from error
    if not isinstance(said, kinds):
        raise Misspoken(f"expected {expected}, and received: {abbreviate_line(content)}")
    return said


def abbreviate_line(line: bytes) -> str:
    """Return the begin of a line as its author would know it."""
    text = line[:SHOWN_BYTES].decode("utf-8", "backslashreplace").rstrip("\n")
    return repr(text) + ("..." if len(line.rstrip(b"\n")) > SHOWN_BYTES else "")
