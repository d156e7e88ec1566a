"""Runs in the database, where each process of a server finds them."""

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec
from sqlalchemy import delete, insert, select, update

from engine.support.sanitizing import one_line
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import runs
from runners.storage.together import AnyRow

LOST_AFTER = timedelta(minutes=15)
"""A run that is not over by then was of a process that was killed."""
RETENTION = timedelta(days=1)
MAX_TEXT_LENGTH = 2_000
LOST_TEXT = "The server was ended meanwhile: run it again."


class State(StrEnum):
    """How far a run has come."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    FAILED = "failed"
    """For a reason of the server's."""
    STOPPED = "stopped"
    """By its author."""


OPEN = (State.WAITING, State.PLAYING)


class Run(msgspec.Struct, kw_only=True):
    """A match in which a draft is tried: team 1 is the draft."""

    id: str
    game: str
    names: tuple[str, ...]
    digests: tuple[str, ...]
    key: str
    seed: str
    folder: str
    """The name of the folder of the process that plays it."""
    is_confidential: bool = False
    """Whether it is shown once it is over, without the source of the other teams."""
    is_exhibition: bool = False
    """Whether bots of the server play for whoever looks on."""
    draft: str = ""
    """The draft of /write that is played: whose that is, is told what happened in it."""
    main: str = ""
    """The name of that draft's main file."""
    course_step: int = 0
    """The step of a course that is tried; 0: none."""
    room: str = ""
    """The room of which it is a battle: it is shown without source."""
    after_turn: int = 0
    """The turn from which on the draft decides anew; 0: from the first one on."""
    cpu_limit_ms: int = 0
    """The CPU time of a bot for one order."""
    state: State = State.WAITING
    words: str = ""
    """What came of it."""
    winner: int | None = None


class RunRows:
    """The runs of all processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, run: Run) -> None:
        """Add a run, and drop those of days before."""
        row = {
            "id": run.id,
            "content": msgspec.json.encode(run).decode(),
            "state": run.state,
            "words": run.words,
            "winner": run.winner,
            "created_at": now(),
        }
        with self._database.transaction() as connection:
            connection.execute(delete(runs).where(runs.c.created_at < now() - RETENTION))
            connection.execute(insert(runs).values(row))

    def end(self, run: Run) -> None:
        """Write what came of a run."""
        text = one_line(run.words)[:MAX_TEXT_LENGTH]
        values = {"state": run.state, "words": text, "winner": run.winner}
        self._database.write(update(runs).where(runs.c.id == run.id).values(values))

    def find(self, run_id: str) -> Run | None:
        row = self._database.fetch_row(select(runs).where(runs.c.id == run_id))
        return None if row is None else _run(row, now())

    def fail_unfinished(self) -> None:
        """Say of all that are not over that they are lost, where one process alone plays runs."""
        if self._database.path is None:
            return
        values = {"state": State.FAILED, "words": LOST_TEXT}
        self._database.write(update(runs).where(runs.c.state.in_(OPEN)).values(values))

    def remove(self, run_ids: list[str]) -> None:
        self._database.write(delete(runs).where(runs.c.id.in_(run_ids)))


def _run(row: AnyRow, at: datetime) -> Run:
    run = msgspec.json.decode(row.content, type=Run)
    run.state, run.words, run.winner = State(row.state), row.words, row.winner
    if run.state in OPEN and with_time_zone(row.created_at) < at - LOST_AFTER:
        run.state, run.words = State.FAILED, LOST_TEXT
    return run
