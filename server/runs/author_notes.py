"""What an author is told of a run, written and read: faults with their values, prints, CPU time.

The process that plays a run writes it, line by line, while the match is played; the server reads
it for the author of the draft alone (server/runs/author_notes.py).
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from engine.bot_output import LogLine, Note
from engine.bots.fault_advice import advice_to_author, advise_on_exception
from engine.bots.log_reading import Section, parse_sections
from engine.bots.remedies import is_remedied
from engine.errors import SlimeMindError
from engine.fault import Cause, Fault
from engine.game import Ask, Outcome, State
from engine.limits import Limits
from engine.observer import SeatObserver
from engine.seat import Seat
from engine.support.sanitizing import make_printable, one_line

TEAM = 1
"""The team of the draft."""
MAX_FAULTS = 100
"""Faults that are told in full: a bot that fails in each turn has thousands."""
MAX_BYTES = 3_000_000
"""The most that is written about a run."""
SAYS_NOTHING = re.compile(r"<[\w.]+ object at 0x[0-9a-f]+>")
"""The value of an object that does not say what it is."""
PIECE = re.compile(r", \w+ (\d+)$")
"""How the heading of what was printed names what was asked about: `turn 3, slime 7`."""


class FaultNote(msgspec.Struct, tag="fault", kw_only=True):
    """A decision that was lost."""

    turn: int
    piece: int
    text: str
    hint: str
    file: str = ""
    """The bot's name, with the path of a file in its folder; '' where no line is known."""
    line: int = 0
    values: list[tuple[str, str]] = []
    traceback: str = ""


class LogNote(msgspec.Struct, tag="log", frozen=True, kw_only=True):
    """Lines that a bot printed, or a line that it logged."""

    turn: int
    piece: int
    kind: str
    """`print`, or the level of a line of self.log."""
    text: str


class CpuNote(msgspec.Struct, tag="cpu", frozen=True, kw_only=True):
    """What the decisions of a turn took."""

    turn: int
    us: int


AuthorNote = FaultNote | LogNote | CpuNote
encode = msgspec.json.Encoder().encode


class NotStarted(SlimeMindError):
    """A draft gave no player: there is nothing to play."""


class AuthorNotes(SeatObserver):
    """Writes what the author of a draft is told. As a context: for one match."""

    def __init__(self, path: Path, name: str, limits: Limits) -> None:
        """`name`: what the draft is called."""
        self._path = path
        self._limits = limits
        # `(NAME/search.py, line 7)`, or `NAME, line 7: ...`
        self._place = re.compile(rf"(?P<file>{re.escape(name)}(?:/[^(),:]*)?), line (?P<line>\d+)")
        self._seat: Seat | None = None
        self._file: BinaryIO | None = None
        self._state: State | None = None
        self._written = self._log_read = self._calls_seen = self._faults = 0
        self._turn = self._turn_us = 0
        self._pending: list[FaultNote] = []
        """Faults whose tracebacks may still come: one of an interrupted call comes after it."""

    def on_seats(self, seats: Sequence[Seat]) -> None:
        """Begin anew: a match that was void is played again."""
        self.close()
        self._file = self._path.open("wb", buffering=0)
        self._seat = seats[TEAM - 1]
        self._written = self._log_read = self._calls_seen = self._faults = 0
        self._turn = self._turn_us = 0
        self._pending = []

    def on_start(self, state: State) -> None:
        self._state = state

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        if ask.team != TEAM or self._seat is None or self._state is None:
            return
        is_started = bool(self._seat.call_us) or self._seat.out is None
        self._faults += 1
        if self._faults <= MAX_FAULTS:
            turn = self._state.turn if is_started else 0
            self._pending.append(self._fault_note(turn, ask.piece_id, fault))
        self._read_log(ask.piece_id)
        if not is_started:
            self._flush_faults()
            raise NotStarted(f"{fault.cause}: {fault.detail}")

    def on_notes(self, ask: Ask, notes: Sequence[Note]) -> None:
        if ask.team != TEAM or self._state is None:
            return
        for note in notes:
            if isinstance(note, LogLine):
                text = f"{note.key}: {note.text}" if note.key else note.text
                self._write(
                    LogNote(turn=self._state.turn, piece=ask.piece_id, kind=note.level, text=text)
                )

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[object]) -> None:
        if self._seat is None or self._state is None:
            return
        self._count_cpu(self._seat, self._state.turn)
        before = list(self._pending)
        self._read_log(next((ask.piece_id for ask in asks if ask.team == TEAM), 0))
        self._flush_faults([one for one in before if one.turn < self._state.turn])

    def on_end(self, outcome: Outcome) -> None:
        self._read_log(0)
        self._flush_faults()
        self._write_cpu()

    def close(self) -> None:
        if self._file is not None:
            self._flush_faults()
            self._file.close()
            self._file = None

    # -- details --------------------------------------------------------------------------------

    def _fault_note(self, turn: int, piece: int, fault: Fault) -> FaultNote:
        places = list(self._place.finditer(fault.detail))
        return FaultNote(
            turn=turn,
            piece=piece,
            text=f"{fault.cause}: {fault.detail}" if fault.detail else str(fault.cause),
            hint=_fault_hint(fault, self._limits),
            file=places[-1]["file"] if places else "",
            line=int(places[-1]["line"]) if places else 0,
        )

    def _count_cpu(self, seat: Seat, turn: int) -> None:
        if turn != self._turn:
            self._write_cpu()
            self._turn = turn
        self._turn_us += sum(seat.call_us[self._calls_seen :])
        self._calls_seen = len(seat.call_us)

    def _write_cpu(self) -> None:
        if self._turn_us:
            self._write(CpuNote(turn=self._turn, us=self._turn_us))
            self._turn_us = 0

    def _read_log(self, piece: int) -> None:
        """Take in what was written to the bot's log since the last look."""
        if self._seat is None or self._state is None:
            return
        content = self._seat.log_from(self._log_read)
        if not content:
            return
        self._log_read += len(content)
        for section in parse_sections(content.decode(errors="replace")):
            named = PIECE.search(section.place)
            self._take(section, int(named[1]) if named else piece)

    def _take(self, section: Section, piece: int) -> None:
        turn = 0 if self._state is None else self._state.turn
        text = "\n".join(map(make_printable, section.printed.rstrip("\n").split("\n")))
        if text:
            self._write(LogNote(turn=turn, piece=piece, kind="print", text=text))
        if not section.traceback:
            return
        for fault in self._pending:
            is_its = not fault.traceback and f"line {fault.line}" in section.traceback
            if is_its or (not fault.traceback and not fault.line):
                fault.values = [
                    (one_line(name), one_line(value))
                    for name, value in section.values
                    if not SAYS_NOTHING.fullmatch(value)
                ]
                fault.traceback = "\n".join(map(make_printable, section.traceback.split("\n")))
                return

    def _flush_faults(self, some: Sequence[FaultNote] | None = None) -> None:
        """Write the faults that are whole, and these."""
        late = self._pending if some is None else some
        for fault in list(self._pending):
            if fault.traceback or fault in late:
                self._pending.remove(fault)
                self._write(fault)

    def _write(self, note: AuthorNote) -> None:
        if self._file is None or self._written > MAX_BYTES:
            return
        line = encode(note) + b"\n"
        self._written += len(line)
        try:
            self._file.write(line)
        except OSError:  # a full disk: the match goes on, and its author is told no more of it
            self._written = MAX_BYTES + 1


def _fault_hint(fault: Fault, limits: Limits) -> str:
    """Return what to do about a fault; of most exceptions all there is to say is shown beside."""
    if fault.cause is Cause.EXCEPTION and not is_remedied(fault.detail):
        return advise_on_exception(fault.detail)
    return advice_to_author(fault, limits)


MAX_NOTES = 20_000
"""Notes that are sent at once."""
US_PER_MS = 1_000
decode = msgspec.json.Decoder(AuthorNote).decode


class FaultValue(Struct, frozen=True):
    """What a name in the line of a fault stood for."""

    name: str
    value: str


class RunFault(Struct, frozen=True, kw_only=True):
    """A decision that was lost, and where."""

    turn: int
    """0: while the bot was loaded."""
    piece: int
    text: str
    hint: str
    """What to do about it."""
    file: str
    """The draft's file; '' where no line is known."""
    line: int | None
    values: list[FaultValue]
    traceback: str


class RunLog(Struct, frozen=True, kw_only=True):
    """What was printed in a turn, or a line of self.log."""

    turn: int
    piece: int
    kind: str
    """`print`, or the level: debug, info, warning, error."""
    text: str


class TurnCpu(Struct, frozen=True):
    """The CPU time of a turn's decisions."""

    turn: int
    ms: float


class NotesAnswer(Struct, frozen=True, kw_only=True):
    """What the author of a draft is told of a run, as far as it was played."""

    faults: list[RunFault]
    log: list[RunLog]
    cpu: list[TurnCpu]
    cpu_limit_ms: int
    """For one order; a turn may have several."""
    next: int
    """Where to go on: as `start` of the next request."""
    is_over: bool


def notes_from(path: Path, start: int) -> Iterator[AuthorNote]:
    """Yield the notes of a run from a number on; none where nothing was written."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file):
                if number >= start + MAX_NOTES or not line.endswith(b"\n"):
                    return
                if number >= start:
                    yield decode(line)
    except FileNotFoundError:
        return


def read_notes_answer(
    path: Path, start: int, main: str, cpu_limit_ms: int, *, is_over: bool
) -> NotesAnswer:
    """Return the notes of a run; `main` is the name of the draft's main file."""
    notes = list(notes_from(path, start))
    return NotesAnswer(
        faults=[_run_fault(note, main) for note in notes if isinstance(note, FaultNote)],
        log=[
            RunLog(turn=note.turn, piece=note.piece, kind=note.kind, text=note.text)
            for note in notes
            if isinstance(note, LogNote)
        ],
        cpu=[
            TurnCpu(note.turn, note.us / US_PER_MS) for note in notes if isinstance(note, CpuNote)
        ],
        cpu_limit_ms=cpu_limit_ms,
        next=start + len(notes),
        is_over=is_over,
    )


def _run_fault(note: FaultNote, main: str) -> RunFault:
    inside = note.file.partition("/")[2]
    return RunFault(
        turn=note.turn,
        piece=note.piece,
        text=note.text,
        hint=note.hint,
        file=(inside or main) if note.line else "",
        line=note.line or None,
        values=[FaultValue(name, value) for name, value in note.values],
        traceback=note.traceback,
    )
