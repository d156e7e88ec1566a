"""Write the lines of a replay, one stage after the other.

A file is one gzip member of JSON lines. *Record* lines are the same for every playing of
the same match with the same orders: the header; lists of entries (an event, or what was
decided before the events that follow); keyframes with the whole state; the result. *Aside*
lines are not: times, the words of a fault, that the match was interrupted and resumed.

What is written can be read though the process is killed: nearly all of it at once, and all but
the last seconds when the power fails.
"""

import os
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from engine import ENGINE_VERSION
from engine.bot_output import MATCH_BYTES, Note, Notes
from engine.fault import Cause, Fault
from engine.game import Act, AnyGame, Ask, Event, Outcome, Stage, State
from engine.observer import Observer
from engine.replays.decisions import DECIDED, Decision, SeatChange, encode, order_to_record
from engine.replays.lines import GZIP_WINDOW_BITS, is_bounded
from engine.seat import Seat
from engine.spec import MatchSpec, encode_spec
from engine.support.background_sync import BackgroundSync
from engine.support.files import wrap_write_errors
from engine.support.sanitizing import one_line

REPLAY_FORMAT = 3
"""The format of replays that are written."""
OLDEST_FORMAT = 2
"""The oldest format that can be read; from release 1.0.0 on it stays what it is."""
KEYFRAME_EVENTS = 10_000
CPU_TURNS = 10
CPU_US = 100_000
"""CPU time is recorded after so many turns, or so many microseconds of a team."""
FLUSH_S = 1.0
"""What was recorded longer ago survives a kill of our process; so do all lines before it."""
SYNC_S = 5.0
"""What was recorded longer ago survives a power cut. Waiting for the disk takes milliseconds."""
COMPRESSION_LEVEL = 5  # 6 takes twice the time for 5 % less


class Contestant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as results and replays name it."""

    name: str
    digest: str
    title: str = ""
    author: str = ""
    version: str = ""
    origin: str | UnsetType = UNSET
    """Where it was asked over HTTP: `https://bots.example.org`; unset where its files played."""

    def to_printable(self) -> "Contestant":
        """Return what can be shown: an untrusted file may name its bots anything."""
        fields = asdict(self).items()
        return Contestant(**{name: one_line(value) for name, value in fields if value is not UNSET})


def display_names(bots: Sequence[Contestant]) -> list[str]:
    """Return what the bots of a match are called: a title, else the name of the file.

    Behind a title that several have stands the file, or where that is one the team.
    """
    titles = [bot.title or bot.name for bot in bots]
    names = [
        f"{title} ({bot.name})" if titles.count(title) > 1 and bot.title else title
        for title, bot in zip(titles, bots, strict=True)
    ]
    return [
        f"{titles[index]} ({index + 1})" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]


class Header(msgspec.Struct, kw_only=True):
    """The first line of a replay."""

    replay: int = REPLAY_FORMAT
    engine: str = ENGINE_VERSION
    spec: msgspec.Raw
    bots: tuple[Contestant, ...]


class KeyframeLine(msgspec.Struct):
    turn: int
    keyframe: msgspec.Raw


class PublicCopy(msgspec.Struct, frozen=True, kw_only=True):
    """What a copy of a match says of itself that is made for everybody."""

    fingerprint: str
    """The fingerprint of the copy, in which hashes stand for the source of bots."""
    original: str
    """The fingerprint of the match; the same where nothing was left out of its record."""


class ResultLine(msgspec.Struct, omit_defaults=True):
    result: Outcome
    copy: PublicCopy | None = None
    """None in the record of the match itself."""


class FaultAside(msgspec.Struct, tag_field="aside", tag="fault", omit_defaults=True):
    """The words of a fault, and what it did to the bot."""

    turn: int
    team: int
    piece_id: int = msgspec.field(name="about")
    cause: Cause
    detail: str
    restarts: int = 0
    """How often the team's process had been replaced by then."""
    out: Fault | None = None
    """Why the team was asked no more from then on."""


class CpuAside(msgspec.Struct, tag_field="aside", tag="cpu"):
    """CPU time each team used up to the end of a turn, since the last of these, microseconds."""

    turn: int
    us: tuple[int, ...]


class Deviation(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where a player, asked again, answered otherwise than was recorded."""

    turn: int
    team: int
    piece_id: int = msgspec.field(name="about")
    recorded: str
    now: str


class Continued(msgspec.Struct, frozen=True, kw_only=True):
    """An interrupted match was resumed."""

    turn: int
    """The turn in which the recorded orders ended, and those of the players began to count."""
    deviation: Deviation | None
    """None if the players answered as it was recorded, as far as it was."""


class ContinuedAside(msgspec.Struct, tag_field="aside", tag="continued"):
    """A line at the place where the match was resumed, give or take a line."""

    continued: Continued


class NotesAside(msgspec.Struct, tag_field="aside", tag="notes", omit_defaults=True):
    """What a bot drew and logged while it decided something."""

    turn: int
    team: int
    piece_id: int = msgspec.field(name="about")
    notes: Notes = ()
    is_last: bool = False
    """Whether the team has noted as much as is kept: later notes are missing."""


Aside = FaultAside | CpuAside | ContinuedAside | NotesAside


class Recorder(Observer):
    """Writes the record of a match as it goes; without a path it only takes its fingerprint.

    `seats` are asked what their bots used, and what became of them. `live` is a file for the
    same lines as they come, uncompressed, for those that watch. `sync` waits for the disk in our
    place when the match is over.
    """

    def __init__(
        self,
        game: AnyGame,
        spec: MatchSpec,
        contestants: Sequence[Contestant],
        path: Path | None,
        seats: Sequence[Seat] = (),
        live: Path | None = None,
        sync: BackgroundSync | None = None,
    ) -> None:
        self._game = game
        self._sync = sync
        self._seats = seats
        self._calls_seen = [0 for _ in seats]
        self._note_bytes: Counter[int] = Counter()
        """The bytes of notes kept, by team; past MATCH_BYTES no more are."""
        self._state: State | None = None
        self._entries: list[object] = []
        self._has_faults = False
        self._since_keyframe = 0
        self._keyframe_turn = 0
        self._turn = 0
        self._hash = sha256()
        self._path = path
        with wrap_write_errors(path):
            self._file = None if path is None else path.open("wb")
        self._live = None if live is None else _open_live_file(live)
        self._flush_at = self._sync_at = time.monotonic() + SYNC_S
        self._deflate = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, GZIP_WINDOW_BITS)
        self._write(encode(Header(spec=msgspec.Raw(encode_spec(spec)), bots=tuple(contestants))))

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint, equal for matches in which the same was ordered and happened."""
        return self._hash.hexdigest()

    def on_start(self, state: State) -> None:
        self._state = state
        self._flush(zlib.Z_SYNC_FLUSH)

    def note_continuation(self, continued: Continued) -> None:
        """Note that what was recorded so far had been played before."""
        self._write(encode(ContinuedAside(continued)))

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[object]) -> None:
        if self._has_faults:
            self._has_faults = False
            orders = [order_to_record(order) for order in orders]
        self._entries.append((DECIDED, *orders))

    def on_single_decision(self, ask: Ask, order: object) -> None:
        self._has_faults = False
        self._entries.append(Decision((order,), ask=ask).to_record())

    def on_act(self, act: Act) -> None:
        self._entries.append(Decision((), act=act).to_record())

    def on_seat_change(self, sits: SeatChange) -> None:
        self._entries.append(Decision((), sits=sits).to_record())

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        self._has_faults = True
        restarts, out = 0, None
        if self._seats:
            seat = self._seats[ask.team - 1]
            restarts, out = seat.restarts, seat.out
        assert self._state is not None
        fields = (self._state.turn, ask.team, ask.piece_id, fault.cause, fault.detail)
        self._write(encode(FaultAside(*fields, restarts, out)))

    def on_notes(self, ask: Ask, notes: Sequence[Note]) -> None:
        recorded = self._note_bytes[ask.team]
        if recorded > MATCH_BYTES or self._state is None:
            return
        aside = NotesAside(self._state.turn, ask.team, ask.piece_id, tuple(notes))
        line = encode(aside)
        self._note_bytes[ask.team] += len(line)
        if recorded + len(line) > MATCH_BYTES:
            line = encode(msgspec.structs.replace(aside, notes=(), is_last=True))
        self._write(line)

    def on_event(self, event: Event) -> None:
        if type(event) is Stage:
            self._end_line(event)
        else:
            self._entries.append(event)

    def on_end(self, outcome: Outcome) -> None:
        self._write_entries()
        self._write_cpu(is_due=True)
        self._write(encode(ResultLine(outcome)))

    def close(self) -> None:
        """Flush what there is; call it whether or not the match came to its end."""
        self._write_entries()
        if self._live is not None:
            self._live.close()
        if self._file is None:
            return
        assert self._path is not None
        file, self._file = self._file, None
        with wrap_write_errors(self._path), ExitStack() as stack:
            stack.enter_context(file)
            file.writelines(map(self._deflate.flush, (zlib.Z_FINISH,)))
            file.flush()
            if self._sync is None:
                os.fsync(file.fileno())
            else:
                stack.pop_all()
                self._sync.close(file, self._path)

    def _end_line(self, stage: Stage) -> None:
        """End a line: a stage begins one, so that a line belongs to one turn."""
        self._write_entries()
        if stage.turn != self._turn:
            self._write_cpu()
            self._turn = stage.turn
        self._entries.append(stage)
        if self._is_keyframe_due(stage):
            self._write_entries()
            self._write_keyframe(stage.turn)
        elif time.monotonic() >= self._flush_at:
            self._flush(zlib.Z_SYNC_FLUSH)

    def _is_keyframe_due(self, stage: Stage) -> bool:
        turns = stage.turn - self._keyframe_turn
        return turns >= self._game.keyframe_turns or self._since_keyframe >= KEYFRAME_EVENTS

    def _write_keyframe(self, turn: int) -> None:
        self._keyframe_turn, self._since_keyframe = turn, 0
        line = encode(KeyframeLine(turn, msgspec.Raw(encode(self._state))))
        if is_bounded(line):  # without it a turn takes longer to be reached, and that is all
            self._write(line)
        self._flush(zlib.Z_FULL_FLUSH)

    def _flush(self, kind: int) -> None:
        """Whatever becomes of us, what was written can be read."""
        now = time.monotonic()
        self._flush_at = now + FLUSH_S
        if self._file is None:
            return
        with wrap_write_errors(self._path):
            self._file.writelines(map(self._deflate.flush, (kind,)))
            self._file.flush()
            if now >= self._sync_at:
                os.fsync(self._file.fileno())
                self._sync_at = now + SYNC_S

    def _write_entries(self) -> None:
        if self._entries:
            # A Ctrl-C in here loses them; later it must not find them again.
            entries, self._entries = self._entries, []
            self._since_keyframe += len(entries)
            self._write_bounded(entries)

    def _write_bounded(self, entries: list[object]) -> None:
        """Write a line, or several where no reader would take so long a one."""
        line = encode(entries)
        if is_bounded(line) or len(entries) == 1:
            self._hash.update(line)
            self._write(line)
            return
        half = len(entries) // 2
        self._write_bounded(entries[:half])
        self._write_bounded(entries[half:])

    def _write_cpu(self, *, is_due: bool = False) -> None:
        """Write the CPU time used, not in every turn: quick turns have shorter lines themselves."""
        calls = [seat.call_us for seat in self._seats]
        used = [sum(us[seen:]) for us, seen in zip(calls, self._calls_seen, strict=True)]
        if any(used) and (is_due or max(used) >= CPU_US or self._turn % CPU_TURNS == 0):
            self._calls_seen = [len(us) for us in calls]
            self._write(encode(CpuAside(self._turn, tuple(used))))

    def _write(self, line: bytes) -> None:
        self._show(line)
        if self._file is not None:
            with wrap_write_errors(self._path):
                # One call: no Ctrl-C comes between what leaves the one and goes into the other.
                self._file.writelines(map(self._deflate.compress, (line + b"\n",)))

    def _show(self, line: bytes) -> None:
        """Write for those that watch; where that fails they go without, and the match goes on."""
        if self._live is not None:
            try:
                self._live.write(line + b"\n")
            except OSError:
                self._live.close()
                self._live = None


def _open_live_file(live: Path) -> BinaryIO | None:
    """Open the file for those that watch; they may have gone meanwhile, with its folder."""
    with suppress(OSError):
        return live.open("ab", buffering=0)
    return None
