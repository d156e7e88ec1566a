"""Define what a bot draws on the board and logs: for people, never for the rules.

Places are squares as the board counts them: (3, 5) is the middle of a square, and the rectangle
3, 5, 2, 1 covers two squares. Whatever comes out of a bot's process is untrusted: the types below
bound every field, and `read_notes` bounds the rest.
"""

from typing import Annotated, final

import msgspec
from msgspec import Meta

from engine.support.sanitizing import one_line

MAX_NOTES_PER_ASK = 200
"""The most notes of one decision."""
ASK_BYTES = 16_000
"""The most bytes of the notes of one decision: they fit into a pipe beside the answer."""
MATCH_BYTES = 2_000_000
"""The most bytes of the notes of one team in a match."""
NO_NOTES = b"null"
MAX_TEXT_LETTERS = 200
KEY_LETTERS = 24

MAX_COORDINATE = 10_000
"""No board reaches so far, in squares."""
Number = Annotated[float, Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Length = Annotated[float, Meta(ge=0, le=MAX_COORDINATE)]
Color = Annotated[str, Meta(pattern=r"^(#[0-9a-f]{6})?\Z")]
"""`#rrggbb`; '' for the color of the bot's team."""
Key = Annotated[str, Meta(max_length=KEY_LETTERS)]
"""The name by which those who watch switch it on and off; '' for none."""
Text = Annotated[str, Meta(max_length=MAX_TEXT_LETTERS)]


@final
class Line(msgspec.Struct, frozen=True, array_like=True, tag="line", gc=False):
    """A line from one square to another."""

    x: Number
    y: Number
    x2: Number
    y2: Number
    color: Color = ""
    key: Key = ""


@final
class Rectangle(msgspec.Struct, frozen=True, array_like=True, tag="rect", gc=False):
    """A frame around squares; `x`, `y` is the upper left one."""

    x: Number
    y: Number
    width: Length
    height: Length
    color: Color = ""
    key: Key = ""


@final
class Circle(msgspec.Struct, frozen=True, array_like=True, tag="circle", gc=False):
    """A circle around a square."""

    x: Number
    y: Number
    radius: Length
    color: Color = ""
    key: Key = ""


@final
class Words(msgspec.Struct, frozen=True, array_like=True, tag="text", gc=False):
    """A line of text on a square."""

    x: Number
    y: Number
    text: Text
    color: Color = ""
    key: Key = ""


@final
class Cross(msgspec.Struct, frozen=True, array_like=True, tag="mark", gc=False):
    """A square that is marked, by a cross."""

    x: Number
    y: Number
    color: Color = ""
    key: Key = ""


@final
class LogLine(msgspec.Struct, frozen=True, array_like=True, tag="log", gc=False):
    """A line that the bot logged."""

    level: Annotated[str, Meta(pattern=r"^(debug|info|warning|error)\Z")]
    text: Text
    key: Key = ""


Drawing = Line | Rectangle | Circle | Words | Cross
Note = Drawing | LogLine
Notes = Annotated[tuple[Note, ...], Meta(max_length=MAX_NOTES_PER_ASK)]

decode_notes = msgspec.json.Decoder(Notes).decode

UNREADABLE_NOTE: tuple[Note, ...] = (LogLine("warning", "notes that cannot be read were dropped"),)
"""What is kept instead of notes that no worker of ours wrote."""


def read_notes(encoded: bytes) -> tuple[Note, ...]:
    """Return the notes of one decision, as a worker sent them; they may be anything."""
    if encoded == NO_NOTES:
        return ()
    if len(encoded) > ASK_BYTES:
        return UNREADABLE_NOTE
    try:
        return tuple(map(sanitize_note, decode_notes(encoded)))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return UNREADABLE_NOTE


def sanitize_note(note: Note) -> Note:
    """Return a note whose texts can be shown anywhere."""
    texts = {name: one_line(getattr(note, name)) for name in ("text", "key") if hasattr(note, name)}
    if all(getattr(note, name) == text for name, text in texts.items()):
        return note
    return msgspec.structs.replace(note, **texts)
