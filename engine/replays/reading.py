"""Read a replay, and seek in it."""

import codecs
import zlib
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from engine.bot_output import sanitize_note
from engine.catalog import find_game
from engine.errors import BadReplay, UnknownGame
from engine.game import AnyGame, Event, Outcome, State
from engine.replays.decisions import DECISION_PREFIX, Decision, DecisionReader, encode, split_list
from engine.replays.lines import (
    GZIP_MAGIC,
    MAX_LINE_BYTES,
    MAX_LINES,
    MAX_PACKED_BYTES,
    MIB,
    Lines,
    LinesInMemory,
    StoredLines,
    StoredText,
    TooLarge,
    text_in,
)
from engine.replays.writing import (
    OLDEST_FORMAT,
    REPLAY_FORMAT,
    Aside,
    CpuAside,
    FaultAside,
    Header,
    KeyframeLine,
    NotesAside,
    PublicCopy,
    ResultLine,
)
from engine.result_folder import REPLAY, ResultFolder
from engine.spec import MatchSpec, decode_spec
from engine.support.files import read_file
from engine.support.sanitizing import one_line
from engine.support.text_decoding import describe_content, detect_file_kind
from engine.support.typed_commands import detect_commands

ReplayEntry = Event | Decision


class Keyframe(msgspec.Struct, frozen=True):
    """The whole state at a place of the record, short enough to be named."""

    turn: int
    digest: str


DIGEST_LETTERS = 16
NO_KEYFRAME = (-1, (-1, -1))
DAMAGE_ERRORS = (
    *(msgspec.MsgspecError, ValueError, LookupError, RecursionError, zlib.error),
    *(TypeError, AttributeError, ArithmeticError, AssertionError, MemoryError),
)
"""The exceptions of lines that no recorder wrote, and of states made of them."""
MAX_ASIDE_BYTES = 96 * MIB
"""The size of all aside lines. In 2 000 turns 250 shapes without a legal order make 65 MB."""
MAX_NOTE_BYTES = 2 * MIB
"""The size of the notes of a team, a little more than a recorder keeps."""
EVENTS_BETWEEN = 100_000
"""The size of a state is checked after so many events."""


class Replay:
    """A recorded match: its header, its entries, and the state at any turn."""

    is_growing = False
    """Whether more may come: a file of an interrupted match stays as it is."""
    may_begin_anew = False
    """Whether the file may get another match: `main.py watch` plays again and again."""
    beginnings = 1
    """How often it has begun: a match that turns out void is played again."""
    _new_lines: Callable[[], Lines] = LinesInMemory

    def __init__(self, path: Path) -> None:
        """Raises: BadReplay, in one sentence, if this is not a replay or cannot be read."""
        self.path = path
        content = _read_content(path)
        try:
            text = text_in(content)
            self._take_in(text)
            if text.is_whole or not content.endswith(b"\0"):
                return
        except BadReplay:
            if not content.endswith(b"\0"):
                raise
        # Where the power failed, the end of a file may be there and have no content yet.
        self._take_in(text_in(content.rstrip(b"\0")))

    def _take_in(self, text: StoredText) -> None:
        self._new_lines = partial(StoredLines, text)
        lines = self._whole_lines(text)
        with self.convert_errors():
            self._read_header(next(lines)[1])
        self._add(lines)

    def read_new_entries(self) -> bool:
        """Read what was recorded meanwhile; whether there was anything."""
        return False

    def _read_header(self, line: bytes) -> None:
        """Take in the header; whatever was read before it is forgotten."""
        path = self.path
        self._header = _parse_header(line, path)
        self.engine = one_line(self._header.engine)
        """The version of the engine that played it."""
        self.bots = tuple(bot.to_printable() for bot in self._header.bots)
        try:
            self.spec: MatchSpec = decode_spec(self._header.spec)
            self.game: AnyGame = find_game(self.spec.game)
        except (UnknownGame, *DAMAGE_ERRORS) as error:
            raise BadReplay(f"{path}: cannot be read: {one_line(error)}") from error
        if len(self.bots) not in self.game.team_counts:
            raise BadReplay(f"{path}: is damaged: it names {len(self.bots)} bots")
        why = self.game.why_not_played(self.spec.settings, len(self.bots))
        if why is not None:
            raise BadReplay(f"{path}: is damaged: {why}")
        self._decode_event = msgspec.json.Decoder(self.game.event).decode
        self._decisions = DecisionReader(self.game, len(self.bots))
        self.asides: list[Aside] = []
        self.outcome: Outcome | None = None
        """None if the match was interrupted before it ended."""
        self.copy: PublicCopy | None = None
        """What it says of the match of which it is the public copy; None: it is the match's own."""
        self._aside_bytes = 0
        self._note_bytes: Counter[int] = Counter()
        self._lines = self._new_lines()
        self._turns = array("I")
        self._keyframes = self._new_lines()
        self._keyframe_places: list[tuple[int, int]] = []
        """The turn of each keyframe, and the number of the line that comes after it."""

    def _whole_lines(self, text: StoredText) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a file as far as they are whole. Raises: BadReplay."""
        path, is_empty = self.path, True
        try:
            for number, line in enumerate(text.lines()):
                is_empty = False
                if number > MAX_LINES:
                    raise TooLarge(f"it has more than {MAX_LINES:,} lines")
                yield line
        except zlib.error as error:
            raise BadReplay(f"{path}: is damaged: {error}") from error
        if is_empty:
            raise BadReplay(f"{path}: ends before its first line: fetch or copy it again")

    def _add(self, lines: Iterable[tuple[int, bytes]]) -> None:
        with self.convert_errors():
            for start, line in lines:
                self._sort(line, start)

    @property
    def line_count(self) -> int:
        """Return how many lines of entries there are."""
        return len(self._lines)

    def turn_of_line(self, number: int) -> int:
        """Return the turn that a line of the record belongs to."""
        return self._turns[number]

    def entries_of_line(self, number: int) -> list[ReplayEntry]:
        """Return the decisions and events of a line, from 0. All are of one turn."""
        with self.convert_errors():
            return list(self._parse_entries(self._lines[number]))

    def events_of_line(self, number: int) -> list[Event | None]:
        """Return what entries_of_line does, but None for decisions: reading those takes long."""
        with self.convert_errors():
            raws = map(bytes, split_list(self._lines[number]))
            return [
                None if raw.startswith(DECISION_PREFIX) else self._decode_event(raw) for raw in raws
            ]

    @property
    def last_turn(self) -> int:
        """Return the last turn of which something is recorded."""
        return self._turns[-1] if self._turns else 0

    def state_at(self, turn: int) -> Any:
        """Return the state at the end of `turn` (0: before the first turn).

        Raises: BadReplay, saying which turns there are.
        """
        if not 0 <= turn <= self.last_turn:
            raise BadReplay(f"{self.path}: has turns 0 to {self.last_turn}, not {turn}")
        with self.convert_errors():
            state, first = self._keyframe_before(turn)
            applied = 0
            for number in range(first, bisect_right(self._turns, turn)):
                for entry in self._parse_entries(self._lines[number]):
                    if not isinstance(entry, Decision):
                        state.apply(entry)
                        applied += 1
                        if applied % EVENTS_BETWEEN == 0:
                            require_bounded_state(encode(state))
        return state

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of what is recorded, as whoever recorded it has taken it."""
        found = sha256()
        with self.convert_errors():
            for number in range(self.line_count):
                found.update(self._lines[number])
        return found.hexdigest()

    def entries(self) -> Iterator[ReplayEntry]:
        """Yield all decisions and events, in order."""
        for number in range(self.line_count):
            yield from self.entries_of_line(number)

    def record(self) -> Iterator[ReplayEntry | Keyframe | Outcome]:
        """Yield all that a match played again must repeat, in order."""
        keyframes = iter(enumerate(self._keyframe_places))
        number, (turn, first) = next(keyframes, NO_KEYFRAME)
        for line in range(self.line_count + 1):
            while first == line:
                with self.convert_errors():
                    encoded = self._read_keyframe(number)
                    state = self._decode_state(encoded)
                yield Keyframe(turn, compute_state_digest(state))
                number, (turn, first) = next(keyframes, NO_KEYFRAME)
            if line < self.line_count:
                yield from self.entries_of_line(line)
        if self.outcome is not None:
            yield self.outcome

    def _sort(self, line: bytes, start: int) -> None:
        """Put a line where it belongs, and note its turn."""
        if line.startswith(b"["):
            self._lines.add(line, start)
            self._turns.append(_parse_turn(line, self._turns[-1] if self._turns else 0))
        elif line.startswith(b'{"aside"'):
            self._keep_aside(line)
        elif line.startswith(b'{"result"'):
            last = msgspec.json.decode(line, type=ResultLine)
            self.outcome, self.copy = last.result, last.copy
            _require_of_all_teams(self.outcome.scores, len(self.bots))
        else:
            turn = msgspec.json.decode(line, type=KeyframeLine).turn
            self._keyframes.add(line, start)
            self._keyframe_places.append((turn, self.line_count))

    def _keep_aside(self, line: bytes) -> None:
        aside = msgspec.json.decode(line, type=Aside)
        self._aside_bytes += len(line)
        if self._aside_bytes > MAX_ASIDE_BYTES:
            raise TooLarge(f"it has more than {MAX_ASIDE_BYTES // MIB} MiB of notes on its faults")
        if isinstance(aside, FaultAside):
            if not 1 <= aside.team <= len(self.bots):
                raise ValueError(f"a fault of team {aside.team}")
            aside.detail = one_line(aside.detail)
        elif isinstance(aside, NotesAside):
            self._take_notes(aside, len(line))
        elif isinstance(aside, CpuAside):
            _require_of_all_teams(aside.us, len(self.bots))
        self.asides.append(aside)

    def _take_notes(self, aside: NotesAside, size: int) -> None:
        """Check the notes of a bot. Raises: ValueError, TooLarge."""
        if not 1 <= aside.team <= len(self.bots):
            raise ValueError(f"notes of team {aside.team}")
        self._note_bytes[aside.team] += size
        if self._note_bytes[aside.team] > MAX_NOTE_BYTES:
            raise TooLarge(f"it has more than {MAX_NOTE_BYTES // MIB} MiB of drawings of a team")
        aside.notes = tuple(map(sanitize_note, aside.notes))

    def _keyframe_before(self, turn: int) -> tuple[State, int]:
        """Return a state, and the first line that comes after it."""
        before = [number for number, (at, _) in enumerate(self._keyframe_places) if at <= turn]
        if not before:
            return self.game.new(self.spec.settings, len(self.bots)), 0
        return self._decode_state(self._read_keyframe(before[-1])), self._keyframe_places[
            before[-1]
        ][1]

    def _read_keyframe(self, number: int) -> msgspec.Raw:
        return msgspec.json.decode(self._keyframes[number], type=KeyframeLine).keyframe

    def _decode_state(self, encoded: msgspec.Raw) -> State:
        state: State = msgspec.json.decode(encoded, type=self.game.state)
        return state

    def _parse_entries(self, line: bytes) -> Iterator[ReplayEntry]:
        for raw in map(bytes, split_list(line)):
            is_decision = raw.startswith(DECISION_PREFIX)
            yield self._decisions.read(raw) if is_decision else self._decode_event(raw)

    @contextmanager
    def convert_errors(self) -> Iterator[None]:
        """Raise a BadReplay for whatever lines that no recorder wrote may lead to."""
        try:
            yield
        except TooLarge as error:
            raise BadReplay(f"{self.path}: is not a replay that was recorded: {error}") from error
        except DAMAGE_ERRORS as error:
            raise BadReplay(f"{self.path}: is damaged: {one_line(repr(error))[:200]}") from error


def newest_replay(out: Path) -> Path:
    """Return the replay written last in a results folder. Raises: BadReplay if there is none."""
    newest, written = None, 0
    # A match being played begins with a dot.
    for path in chain.from_iterable(
        out.glob(f"{result_folder}/[!.]*/{REPLAY}") for result_folder in ResultFolder
    ):
        with suppress(FileNotFoundError):  # another playing of that match takes its place
            if path.stat().st_mtime_ns > written:
                newest, written = path, path.stat().st_mtime_ns
    if newest is None:
        how = detect_commands().main
        raise BadReplay(f"no replay in {out}: play a match first ({how}), or name a file")
    return newest


def compute_state_digest(state: object) -> str:
    """Return what equal states have in common, whatever version of us wrote them down.

    A field that an older version did not know has its default by now, as in a state played again.
    """
    return sha256(encode(state)).hexdigest()[:DIGEST_LETTERS]


def require_bounded_state(encoded: bytes) -> None:
    """Raises: TooLarge for a state to which events have added without end."""
    if len(encoded) > MAX_LINE_BYTES:
        raise TooLarge(f"its state grows to more than {MAX_LINE_BYTES // MIB} MiB")


def _read_content(path: Path) -> bytes:
    try:
        content = read_file(path, MAX_PACKED_BYTES)
    except OSError as error:
        raise BadReplay(f"{path}: cannot be read: {error.strerror}{_replay_in(path)}") from error
    if not content.startswith((GZIP_MAGIC, b"{", codecs.BOM_UTF8 + b"{")):
        raise BadReplay(f"{path}: is not a replay file: {describe_content(content)}")
    return content


def _replay_in(path: Path) -> str:
    """Return the replay in the folder of a match, if it is one."""
    return f"; the replay in it is {path / REPLAY}" if (path / REPLAY).is_file() else ""


def _require_of_all_teams(numbers: Sized, teams: int) -> None:
    if len(numbers) != teams:
        raise ValueError(f"{len(numbers)} numbers for {teams} teams")


def _parse_header(line: bytes, path: Path) -> Header:
    try:
        version = msgspec.json.decode(line, type=dict[str, msgspec.Raw]).get("replay")
        number = None if version is None else msgspec.json.decode(version, type=int)
        if number is not None and number > REPLAY_FORMAT:
            raise BadReplay(
                f"{path}: comes from a newer version of Slime Mind (replay format {number}; "
                f"this one reads up to {REPLAY_FORMAT}): update Slime Mind to watch it"
            )
        if number is not None and number < OLDEST_FORMAT:
            raise BadReplay(
                f"{path}: comes from an older version of Slime Mind (replay format {number}; "
                f"this one reads format {OLDEST_FORMAT} and newer): watch it with that version, "
                "or play the match again"
            )
        if number is not None:
            return msgspec.json.decode(line, type=Header)
    except DAMAGE_ERRORS:
        pass
    kind = detect_file_kind(line)
    what = f"what is in it is {kind}" if kind else "its first line is not a replay header"
    raise BadReplay(f"{path}: is not a replay file: {what}")


def _parse_turn(line: bytes, previous: int) -> int:
    """Return the turn of a line, which begins with its stage or belongs to the line before."""
    if line.startswith(b'[["stage",'):
        turn = int(line[10 : line.index(b",", 10)])
        if not 0 <= turn <= previous + 1:
            raise ValueError(f"turn {turn} after turn {previous}")
        return turn
    return previous
