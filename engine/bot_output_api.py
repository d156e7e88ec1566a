"""Give bots `self.draw` and `self.log`.

Neither ever raises for what it is given: whether a match is recorded must change nothing in it.
"""

from collections.abc import Callable
from math import isfinite

import msgspec

from engine.bot_output import (
    ASK_BYTES,
    KEY_LETTERS,
    MATCH_BYTES,
    MAX_NOTES_PER_ASK,
    MAX_TEXT_LETTERS,
    NO_NOTES,
    LogLine,
    Note,
)
from engine.support.sanitizing import one_line

COLORS = {
    "red": "#e5484d",
    "orange": "#f28c28",
    "yellow": "#ffd43b",
    "green": "#37b24d",
    "cyan": "#22b8cf",
    "blue": "#4c8dff",
    "purple": "#9b5de5",
    "pink": "#f06bb0",
    "white": "#ffffff",
    "gray": "#8b95a1",
    "black": "#10161d",
}
"""The colors with names; any other one is `#rrggbb`."""
MAX_LOGGED_MISTAKES = 20
"""How many different mistakes in drawing are logged in a match."""
ROOM_BYTES = 1_000
"""What is left of each bound for the note that it is reached."""
PRIVATE_NAME = "_note_taker"
NO_OUTPUT = msgspec.Raw(NO_NOTES)

Fields = Callable[[], tuple[object, ...]]
Place = Callable[[tuple[float, float]], tuple[float, float]]

encode = msgspec.json.Encoder().encode


class NoteTaker:
    """Keeps what a bot draws and logs until its answer is sent; outside of matches nothing.

    In a match it does the same work whether that is recorded or not: a bot cannot tell.
    """

    def __init__(self, *, is_kept: bool = False) -> None:
        self.is_kept = is_kept
        self.draw = Draw(self)
        self.log = Log(self)
        self._encoded: list[bytes] = []
        self._bytes = self._bytes_of_match = 0
        self._complaints: set[str] = set()

    def give_to(self, player: type) -> None:
        """Set `draw` and `log` of a bot's class, but where the bot means something else by them.

        A host whose bots have other objects that draw finds us in `_note_taker`, a private name, so
        that authors' names are free.
        """
        setattr(player, PRIVATE_NAME, self)
        for name, tool in (("draw", self.draw), ("log", self.log)):
            if isinstance(getattr(player, name, tool), type(tool)):
                setattr(player, name, tool)

    def add(self, *fields: object) -> None:
        """Keep a note, of which these are the tag and the fields. Raises: ValidationError."""
        self._append(encode(msgspec.convert(fields, Note)))

    def complain(self, text: str) -> None:
        """Log a mistake, once."""
        if text not in self._complaints and len(self._complaints) < MAX_LOGGED_MISTAKES:
            self._complaints.add(text)
            encoded = encode(LogLine("warning", text[:MAX_TEXT_LETTERS]))
            if len(self._encoded) < MAX_NOTES_PER_ASK and not self._has_no_room(encoded, 2):
                self._append_encoded(encoded)

    def take(self) -> msgspec.Raw:
        """Return what was kept since the last call, as JSON; nothing if that is nothing."""
        if not self._encoded:
            return NO_OUTPUT
        encoded, self._encoded, self._bytes = self._encoded, [], 0
        return msgspec.Raw(b"[" + b",".join(encoded) + b"]")

    def _append(self, encoded: bytes) -> None:
        if self._bytes_of_match + len(encoded) > MATCH_BYTES - ROOM_BYTES:
            self.complain(f"more than {MATCH_BYTES // 1_000} KB of notes: no more are kept")
        elif len(self._encoded) > MAX_NOTES_PER_ASK - 2 or self._has_no_room(encoded, ROOM_BYTES):
            self.complain(
                f"a decision has more than {MAX_NOTES_PER_ASK - 1} notes, or "
                f"{ASK_BYTES // 1_000} KB: "
                "the rest is dropped"
            )
        else:
            self._append_encoded(encoded)

    def _has_no_room(self, encoded: bytes, spare: int) -> bool:
        return self._bytes + len(encoded) > ASK_BYTES - spare

    def _append_encoded(self, encoded: bytes) -> None:
        self._encoded.append(encoded)
        self._bytes += len(encoded) + 1
        self._bytes_of_match += len(encoded) + 1


class Draw:
    """Draws on the board for those who watch: opponents never see it, and the rules neither.

    `color` is a name such as "red", or "#rrggbb"; without one it is your team's. `key` names a
    group, which those who watch can switch off: `key="targets"`. Coordinates are squares.
    """

    def __init__(self, notes: NoteTaker, place: Place = lambda place: place) -> None:
        self._notes = notes
        self.place = place
        """Turns a place of the bot's own frame into one of the board."""

    def line(
        self, x: float, y: float, x2: float, y2: float, *, color: str = "", key: str = ""
    ) -> None:
        """Draw a line from the middle of square (x, y) to that of (x2, y2)."""
        if self._notes.is_kept:
            self._add("line", lambda: (*self._point(x, y), *self._point(x2, y2)), color, key)

    def rect(
        self,
        x: float,
        y: float,
        width: float = 1,
        height: float = 1,
        *,
        color: str = "",
        key: str = "",
    ) -> None:
        """Draw a frame around so many squares, of which (x, y) is the one with the lowest x, y."""
        if self._notes.is_kept:
            self._add("rect", lambda: self._rectangle(x, y, width, height), color, key)

    def circle(
        self, x: float, y: float, radius: float = 0.5, *, color: str = "", key: str = ""
    ) -> None:
        """Draw a circle around square (x, y); a radius of 0.5 just fits into it."""
        if self._notes.is_kept:
            self._add("circle", lambda: (*self._point(x, y), number(radius)), color, key)

    def text(self, x: float, y: float, text: object, *, color: str = "", key: str = "") -> None:
        """Write a short text on square (x, y)."""
        if self._notes.is_kept:
            self._add(
                "text", lambda: (*self._point(x, y), str(text)[:MAX_TEXT_LETTERS]), color, key
            )

    def mark(self, x: float, y: float, *, color: str = "", key: str = "") -> None:
        """Mark square (x, y) with a cross."""
        if self._notes.is_kept:
            self._add("mark", lambda: self._point(x, y), color, key)

    def _add(self, tag: str, fields: Fields, color: str, key: str) -> None:
        try:
            self._notes.add(tag, *fields(), parse_color(color), str(key)[:KEY_LETTERS])
        except Exception as error:
            self._notes.complain(f"draw.{tag}: {_error_text(error)}")

    def _point(self, x: float, y: float) -> tuple[float, float]:
        x, y = self.place((number(x), number(y)))
        return x, y

    def _rectangle(
        self, x: float, y: float, width: float, height: float
    ) -> tuple[float, float, float, float]:
        """Return the upper left square of a rectangle, and its size."""
        wide, high = number(width), number(height)
        first = self._point(x, y)
        last = self._point(number(x) + wide - 1, number(y) + high - 1)
        if self.place((1, 0))[0] == self.place((0, 0))[0]:  # a frame turned by a quarter
            wide, high = high, wide
        return min(first[0], last[0]), min(first[1], last[1]), wide, high


class Log:
    """Logs lines for those who watch, beside the decision they belong to."""

    def __init__(self, notes: NoteTaker) -> None:
        self._notes = notes

    def debug(self, text: object, *, key: str = "") -> None:
        """Log a detail."""
        self._add("debug", text, key)

    def info(self, text: object, *, key: str = "") -> None:
        """Log what the bot thinks."""
        self._add("info", text, key)

    def warning(self, text: object, *, key: str = "") -> None:
        """Log what should not be so."""
        self._add("warning", text, key)

    def error(self, text: object, *, key: str = "") -> None:
        """Log what went wrong."""
        self._add("error", text, key)

    def _add(self, level: str, text: object, key: str) -> None:
        if self._notes.is_kept:
            try:
                self._notes.add("log", level, str(text)[:MAX_TEXT_LETTERS], str(key)[:KEY_LETTERS])
            except Exception as error:
                self._notes.complain(f"log.{level}: {_error_text(error)}")


def number(value: float) -> float:
    """Return a number of any library as one of Python's, to the hundredth. Raises: ValueError."""
    rounded = round(float(value), 2)
    if not isfinite(rounded):
        raise ValueError(f"{rounded} is not a place on the board")
    return rounded


def parse_color(color: str) -> str:
    """Return a color as `#rrggbb`. Raises: ValueError, naming those there are."""
    code = COLORS.get(color, str(color).lower())
    is_code = len(code) == 7 and code[0] == "#" and all(c in "0123456789abcdef" for c in code[1:])
    if code and not is_code:
        raise ValueError(f"color {code!r:.30}: expected #rrggbb or one of {', '.join(COLORS)}")
    return code


def _error_text(error: BaseException) -> str:
    try:
        return one_line(error)
    except Exception:
        return type(error).__name__


NOBODY_RECORDS = NoteTaker()
"""What keeps nothing, for players outside of matches."""
