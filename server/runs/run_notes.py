"""Reading what an author is told of a run, as far as it has been written."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from server.runs.author_notes import AuthorNote, CpuNote, FaultNote, LogNote

MOST_NOTES = 20_000
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
                if number >= start + MOST_NOTES or not line.endswith(b"\n"):
                    return
                if number >= start:
                    yield decode(line)
    except FileNotFoundError:
        return


def notes_answer(
    path: Path, start: int, main: str, cpu_limit_ms: int, *, is_over: bool
) -> NotesAnswer:
    """Return the notes of a run; `main` is the name of the draft's main file."""
    notes = list(notes_from(path, start))
    return NotesAnswer(
        faults=[_fault(note, main) for note in notes if isinstance(note, FaultNote)],
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


def _fault(note: FaultNote, main: str) -> RunFault:
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
