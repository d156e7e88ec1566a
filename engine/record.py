"""The lines of a replay: how they are written, one stage after the other.

A file is one gzip member of JSON lines. *Record* lines are the same for every playing of
the same match with the same orders: the header; lists of entries (an event, or what was
decided before the events that follow); keyframes with the whole state; the result. *Aside*
lines are not: times, the words of a fault, that the match was cut off and went on.

What is written can be read though the process is killed: nearly all of it at once, and all but
the last seconds when the power fails.
"""

import os
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from engine import ENGINE_VERSION
from engine.bots.fault import Cause, Fault
from engine.errors import EngineFailure
from engine.game import Ask, Event, Game, Outcome, Stage
from engine.match import Watcher
from engine.spec import MatchSpec

FORMAT = 1
DECIDED = "!"
"""The first word of an entry that holds an order (or a fault) per ask."""
KEYFRAME_EVENTS = 10_000
CPU_TURNS = 10
CPU_US = 100_000
"""After so many turns, or so many microseconds of a team, it is told what CPU time was used."""
FLUSH_S = 1.0
"""What was recorded longer ago survives a kill of our process; so do all lines before it."""
SYNC_S = 5.0
"""And so long ago: a power cut. Waiting for the disk takes milliseconds, sometimes many."""
GZIP = 31  # zlib's wbits for a gzip member; its mtime is 0
LEVEL = 5  # 6 takes twice the time for 5 % less

encode = msgspec.json.Encoder().encode


class Contestant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as results and replays name it."""

    name: str
    digest: str
    title: str = ""
    author: str = ""
    version: str = ""


class Header(msgspec.Struct, kw_only=True):
    """The first line."""

    replay: int = FORMAT
    engine: str = ENGINE_VERSION
    spec: msgspec.Raw
    bots: tuple[Contestant, ...]


class FaultMark(msgspec.Struct):
    """A fault among the orders: its cause is of the record, its words are not."""

    fault: Cause


class KeyframeLine(msgspec.Struct):
    turn: int
    keyframe: msgspec.Raw


class ResultLine(msgspec.Struct):
    result: Outcome


class FaultAside(msgspec.Struct, tag_field="aside", tag="fault", omit_defaults=True):
    """The words of a fault, and what it did to the bot."""

    turn: int
    team: int
    about: int
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
    """Where a player, asked again, first answered otherwise than was recorded."""

    turn: int
    team: int
    about: int
    recorded: str
    now: str


class Continued(msgspec.Struct, frozen=True, kw_only=True):
    """A match was cut off, and went on."""

    turn: int
    """The one in which the recorded orders ended, and those of the players began to count."""
    deviation: Deviation | None
    """None if the players answered as it was recorded, as far as it was."""


class ContinuedAside(msgspec.Struct, tag_field="aside", tag="continued"):
    """Stands where the match went on, give or take a line."""

    continued: Continued


Aside = FaultAside | CpuAside | ContinuedAside


class Sitting(Protocol):
    """A seat, as far as a record tells of it."""

    @property
    def call_us(self) -> Sequence[int]:
        """CPU time of each call so far."""

    @property
    def restarts(self) -> int: ...

    @property
    def out(self) -> Fault | None:
        """Why this bot is asked no more."""


class Recorder(Watcher):
    """Writes the record of a match as it goes; without a path it only takes its fingerprint.

    `seats` are asked what their bots used, and what became of them. `live` is a file for the
    same lines as they come, uncompressed, for those that watch.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        spec: MatchSpec,
        contestants: Sequence[Contestant],
        path: Path | None,
        seats: Sequence[Sitting] = (),
        live: Path | None = None,
    ) -> None:
        self._game = game
        self._seats = seats
        self._calls_seen = [0 for _ in seats]
        self._state: Any = None
        self._entries: list[Any] = []
        self._has_faults = False
        self._since_keyframe = 0
        self._keyframe_turn = 0
        self._turn = 0
        self._hash = sha256()
        self._path = path
        with _naming(path):
            self._file = None if path is None else path.open("wb")
        self._live = None if live is None else _opened(live)
        self._flush_at = self._sync_at = time.monotonic() + SYNC_S
        self._deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
        self._write(encode(Header(spec=msgspec.Raw(encode(spec)), bots=tuple(contestants))))

    @property
    def fingerprint(self) -> str:
        """The same for two matches in which the same was ordered and happened."""
        return self._hash.hexdigest()

    def began(self, state: Any) -> None:
        self._state = state
        self._flush(zlib.Z_SYNC_FLUSH)

    def went_on(self, continued: Continued) -> None:
        """What was recorded so far had been played before."""
        self._write(encode(ContinuedAside(continued)))

    def decided(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        if self._has_faults:
            self._has_faults = False
            orders = [FaultMark(o.cause) if isinstance(o, Fault) else o for o in orders]
        self._entries.append((DECIDED, *orders))

    def faulted(self, ask: Ask, fault: Fault) -> None:
        self._has_faults = True
        restarts, out = 0, None
        if self._seats:
            seat = self._seats[ask.team - 1]
            restarts, out = seat.restarts, seat.out
        told = (self._state.turn, ask.team, ask.about, fault.cause, fault.detail)
        self._write(encode(FaultAside(*told, restarts, out)))

    def happened(self, event: Event) -> None:
        if type(event) is Stage:
            self._end_line(event)
        else:
            self._entries.append(event)

    def ended(self, outcome: Outcome) -> None:
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
        with _naming(self._path), self._file as file:
            self._file = None
            file.writelines(map(self._deflate.flush, (zlib.Z_FINISH,)))
            file.flush()
            os.fsync(file.fileno())

    def _end_line(self, stage: Stage) -> None:
        """A stage begins a line, so that a line belongs to one turn."""
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
        self._write(encode(KeyframeLine(turn, msgspec.Raw(encode(self._state)))))
        self._flush(zlib.Z_FULL_FLUSH)

    def _flush(self, kind: int) -> None:
        """Whatever becomes of us, what was written can be read."""
        now = time.monotonic()
        self._flush_at = now + FLUSH_S
        if self._file is None:
            return
        with _naming(self._path):
            self._file.writelines(map(self._deflate.flush, (kind,)))
            self._file.flush()
            if now >= self._sync_at:
                os.fsync(self._file.fileno())
                self._sync_at = now + SYNC_S

    def _write_entries(self) -> None:
        if self._entries:
            # A Ctrl-C in here loses them; later it must not find them again.
            entries, self._entries = self._entries, []
            line = encode(entries)
            self._hash.update(line)
            self._write(line)
            self._since_keyframe += len(entries)

    def _write_cpu(self, *, is_due: bool = False) -> None:
        """Not in every turn: quick turns have shorter lines themselves."""
        calls = [seat.call_us for seat in self._seats]
        used = [sum(us[seen:]) for us, seen in zip(calls, self._calls_seen, strict=True)]
        if any(used) and (is_due or max(used) >= CPU_US or self._turn % CPU_TURNS == 0):
            self._calls_seen = [len(us) for us in calls]
            self._write(encode(CpuAside(self._turn, tuple(used))))

    def _write(self, line: bytes) -> None:
        self._show(line)
        if self._file is not None:
            with _naming(self._path):
                # One call: no Ctrl-C comes between what leaves the one and goes into the other.
                self._file.writelines(map(self._deflate.compress, (line + b"\n",)))

    def _show(self, line: bytes) -> None:
        """Where nothing more can be written, those that watch go without: no match ends for it."""
        if self._live is not None:
            try:
                self._live.write(line + b"\n")
            except OSError:
                self._live.close()
                self._live = None


def _opened(live: Path) -> BinaryIO | None:
    """The file for those that watch; they may have gone meanwhile, and taken its folder along."""
    with suppress(OSError):
        return live.open("ab", buffering=0)
    return None


@contextmanager
def _naming(path: Path | None) -> Iterator[None]:
    """What cannot be written is our failure, and no bot's. Raises: EngineFailure."""
    try:
        yield
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror}") from error
