"""Reading a replay, and seeking in it."""

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from engine.bots.fault import Fault
from engine.catalogue import game_named
from engine.errors import BadReplay, UnknownGame
from engine.game import Event, Game, Outcome
from engine.record import (
    FORMAT,
    GZIP,
    Aside,
    FaultMark,
    Header,
    KeyframeLine,
    ResultLine,
)
from engine.shelves import REPLAY, Shelf
from engine.spec import MatchSpec, decode_spec


class Decision(msgspec.Struct, frozen=True):
    """What was decided before the events that follow: an order or a Fault per ask."""

    orders: tuple[Any, ...]


Entry = Event | Decision


class Keyframe(msgspec.Struct, frozen=True):
    """The whole state at a place of the record, short enough to be named."""

    turn: int
    digest: str


DIGEST_LETTERS = 16
DAMAGE = (msgspec.MsgspecError, ValueError, LookupError, RecursionError)
"""What reading lines that no recorder wrote may raise."""

split_list = msgspec.json.Decoder(list[msgspec.Raw]).decode


class Replay:
    """A recorded match: its header, its entries, and the state at any turn."""

    is_growing = False
    """Whether more may come: a file that was cut off stays as it is."""
    beginnings = 1
    """How often it has begun: a match that turns out void is played again."""

    def __init__(self, path: Path) -> None:
        """Raises: BadReplay, in one sentence, if this is none or cannot be read."""
        self.path = path
        header, *lines = _lines_of(path)
        self._begin(header)
        self._add(lines)

    def read_on(self) -> bool:
        """Read what was recorded meanwhile; whether there was anything."""
        return False

    def _begin(self, line: bytes) -> None:
        """Take in the header; whatever was read before it is forgotten."""
        path = self.path
        self._header = _header_of(line, path)
        self.bots = self._header.bots
        try:
            self.spec: MatchSpec = decode_spec(self._header.spec)
            self.game: Game[Any, Any, Any] = game_named(self.spec.game)
        except (UnknownGame, *DAMAGE) as error:
            raise BadReplay(f"{path}: cannot be read: {error}") from error
        if len(self.bots) not in self.game.team_counts:
            raise BadReplay(f"{path}: is damaged: it names {len(self.bots)} bots")
        self._decode_event = msgspec.json.Decoder(self.game.event).decode
        self._decode_order = msgspec.json.Decoder(self.game.order).decode
        self.asides: list[Aside] = []
        self.outcome: Outcome | None = None
        """None if the file was cut off before the match ended."""
        self._lines: list[bytes] = []
        self._turns: list[int] = []
        self._keyframes: list[tuple[int, int, msgspec.Raw]] = []

    def _add(self, lines: Iterable[bytes]) -> None:
        with self._reading():
            for line in lines:
                self._sort(line)

    @property
    def engine(self) -> str:
        """The version of the engine that played it."""
        return self._header.engine

    @property
    def line_count(self) -> int:
        """How many lines of entries there are."""
        return len(self._lines)

    def entries_of_line(self, number: int) -> list[Entry]:
        """The decisions and events of a line, from 0. All are of one turn."""
        with self._reading():
            return list(self._entries_of(self._lines[number]))

    @property
    def last_turn(self) -> int:
        """The last turn of which something is recorded."""
        return self._turns[-1] if self._turns else 0

    def state_at(self, turn: int) -> Any:
        """The state at the end of `turn` (0: before the first turn).

        Raises: BadReplay, saying which turns there are.
        """
        if not 0 <= turn <= self.last_turn:
            raise BadReplay(f"{self.path}: has turns 0 to {self.last_turn}, not {turn}")
        with self._reading():
            state, first = self._keyframe_before(turn)
            for line in self._lines[first : bisect_right(self._turns, turn)]:
                for entry in self._entries_of(line):
                    if not isinstance(entry, Decision):
                        state.apply(entry)
        return state

    def entries(self) -> Iterator[Entry]:
        """All decisions and events, in order."""
        for number in range(self.line_count):
            yield from self.entries_of_line(number)

    def record(self) -> Iterator[Entry | Keyframe | Outcome]:
        """All that a match played again must repeat, in order."""
        for place, line in enumerate([*self._lines, b"[]"]):
            for turn, first, content in self._keyframes:
                if first == place:
                    yield Keyframe(turn, digest_of(content))
            with self._reading():
                entries = list(self._entries_of(line))
            yield from entries
        if self.outcome is not None:
            yield self.outcome

    def _sort(self, line: bytes) -> None:
        """Put a line where it belongs, and note its turn."""
        if line.startswith(b"["):
            self._lines.append(line)
            self._turns.append(_turn_of(line, self._turns[-1] if self._turns else 0))
        elif line.startswith(b'{"aside"'):
            self.asides.append(msgspec.json.decode(line, type=Aside))
        elif line.startswith(b'{"result"'):
            self.outcome = msgspec.json.decode(line, type=ResultLine).result
        else:
            keyframe = msgspec.json.decode(line, type=KeyframeLine)
            self._keyframes.append((keyframe.turn, len(self._lines), keyframe.keyframe))

    def _keyframe_before(self, turn: int) -> tuple[Any, int]:
        """A state, and the first line that comes after it."""
        before = [keyframe for keyframe in self._keyframes if keyframe[0] <= turn]
        if not before:
            return self.game.new(self.spec.settings, len(self.bots)), 0
        _, first, content = before[-1]
        return msgspec.json.decode(content, type=self.game.state), first

    def _entries_of(self, line: bytes) -> Iterator[Entry]:
        for raw in split_list(line):
            yield self._entry(bytes(raw))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except DAMAGE as error:
            raise BadReplay(f"{self.path}: is damaged: {error!r:.200}") from error

    def _entry(self, raw: bytes) -> Entry:
        if not raw.startswith(b'["!"'):
            event: Event = self._decode_event(raw)
            return event
        _, *orders = split_list(raw)
        return Decision(tuple(self._order(bytes(order)) for order in orders))

    def _order(self, raw: bytes) -> Any:
        if raw.startswith(b'{"fault"'):
            return Fault(msgspec.json.decode(raw, type=FaultMark).fault)
        return self._decode_order(raw)


def newest_replay(out: Path) -> Path:
    """The replay written last in a results folder. Raises: BadReplay if there is none."""
    newest, written = None, 0
    # A match being played begins with a dot.
    for path in chain.from_iterable(out.glob(f"{shelf}/[!.]*/{REPLAY}") for shelf in Shelf):
        with suppress(FileNotFoundError):  # another playing of that match takes its place
            if path.stat().st_mtime_ns > written:
                newest, written = path, path.stat().st_mtime_ns
    if newest is None:
        raise BadReplay(f"no replay in {out}: play a match first (python3 main.py), or name a file")
    return newest


def digest_of(state: bytes | msgspec.Raw) -> str:
    return sha256(state).hexdigest()[:DIGEST_LETTERS]


def _lines_of(path: Path) -> Sequence[bytes]:
    """The whole lines of a replay, up to its end or to where it was cut off."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadReplay(f"{path}: cannot be read: {error.strerror}") from error
    try:
        text = _inflated(content)
    except zlib.error as error:
        what = "is damaged" if content.startswith(b"\x1f\x8b") else "is no replay"
        raise BadReplay(f"{path}: {what}: {error}") from error
    lines = text.split(b"\n")[:-1]
    if not lines:
        raise BadReplay(f"{path}: is no replay, or was cut off before its first line")
    return lines


def _inflated(content: bytes) -> bytes:
    """What there is of it. Raises: zlib.error."""
    whole = zlib.decompressobj(GZIP)
    with suppress(zlib.error):
        text = whole.decompress(content)
        if whole.eof:
            return text
    # Where the power failed, the end of a file may be there and have no content yet.
    return zlib.decompressobj(GZIP).decompress(content.rstrip(b"\0"))


def _header_of(line: bytes, path: Path) -> Header:
    try:
        version = msgspec.json.decode(line, type=dict[str, msgspec.Raw]).get("replay")
        number = None if version is None else msgspec.json.decode(version, type=int)
        if number is not None and number > FORMAT:
            raise BadReplay(
                f"{path}: comes from a newer version of Slime Mind (replay format {number}; "
                f"this one reads up to {FORMAT}): update Slime Mind to watch it"
            )
        if number is not None:
            return msgspec.json.decode(line, type=Header)
    except DAMAGE:
        pass
    raise BadReplay(f"{path}: is no replay: its first line is no replay header")


def _turn_of(line: bytes, previous: int) -> int:
    """A line begins with its stage, or goes on with the turn of the line before."""
    if line.startswith(b'[["stage",'):
        return int(line[10 : line.index(b",", 10)])
    return previous
