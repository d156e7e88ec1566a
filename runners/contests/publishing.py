"""Computes the ratings of ladders in a process of their own, whenever something has changed."""

import time
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import closing
from datetime import datetime
from pathlib import Path

import msgspec

from engine.support.process_pool import ProcessLost, ProcessPool
from runners.contests.contests import Ladder
from runners.contests.ladder_ratings import (
    Mark,
    Published,
    compute_ratings,
    forget_later,
    publish,
    results_mark,
)
from runners.storage.database import Database, now

NICENESS = 15
"""Ratings can wait for matches, and those for people."""
PAUSE_S = 5.0
"""Between two computations of a ladder's ratings, at least."""
IDLE_FACTOR = 10
"""The pause after a computation is so many times as long as it took."""
CHANGE_CHECK_FACTOR = 200
"""The same of how long it took to see whether something has changed."""

Ratings = Mapping[str, Published]


class _Ladder(msgspec.Struct):
    """How far the ratings of a ladder are, up to a time or at all."""

    mark: Mark | None = None
    due: float = 0.0


class _Running(msgspec.Struct, frozen=True, kw_only=True):
    """A computation that runs."""

    ladder: Ladder
    until: datetime | None
    at: datetime
    mark: Mark
    began: float
    future: "Future[dict[str, Published]]"


class Publisher:
    """Keeps the ratings of all ladders up to date; called by one thread, again and again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pool = ProcessPool(None, [()], niceness=NICENESS)
        self._ladders: dict[tuple[str, datetime | None], _Ladder] = {}
        self._running: _Running | None = None

    @property
    def is_busy(self) -> bool:
        return self._running is not None

    def step(self, ladders: list[Ladder]) -> tuple[str, Ratings, bool] | None:
        """Publish what was computed, and begin what is due; return a ladder's new ratings.

        And whether they are those of a season's end, which stay. Raises: EngineFailure.
        """
        published = (
            self._publish_computed() if self._running and self._running.future.done() else None
        )
        if self._running is None:
            for ladder in ladders:
                pinned = _pinned_time(ladder)  # those of a time that stays come first
                is_due = pinned is not None and pinned <= now()
                if (is_due and self._start_at(ladder, pinned)) or self._start_at(ladder, None):
                    break
        return published

    def close(self) -> None:
        self._pool.terminate()
        self._pool.shutdown(cancel_futures=True)

    def _start_at(self, ladder: Ladder, until: datetime | None) -> bool:
        """Begin to compute a ladder's ratings if they are due; return whether."""
        known = self._ladders.setdefault((ladder.id, until), _Ladder())
        if time.monotonic() < known.due:
            return False
        began = time.monotonic()
        with self._database.reading() as connection:
            mark = results_mark(connection, ladder.id, until)
        known.due = began + max(PAUSE_S, CHANGE_CHECK_FACTOR * (time.monotonic() - began))
        if mark == known.mark:
            return False
        self._running = _Running(
            ladder=ladder,
            until=until,
            at=now() if until is None else until,
            mark=mark,
            began=time.monotonic(),
            future=self._pool.submit(_rate, self._database.where, ladder.id, until),
        )
        return True

    def _publish_computed(self) -> tuple[str, Ratings, bool] | None:
        """Publish what was computed; what was lost with its process is computed again later."""
        running, self._running = self._running, None
        assert running is not None
        try:
            found = running.future.result()
        except ProcessLost:
            return None
        ladder = running.ladder
        pinned = _pinned_time(ladder) if running.until is None else None
        if running.until is None:
            forget_later(self._database, ladder.id, running.at, pinned=pinned)
        publish(self._database, ladder.id, found, running.at, pinned=pinned)
        known = self._ladders[ladder.id, running.until]
        known.mark = running.mark
        took = time.monotonic() - running.began
        known.due = time.monotonic() + max(PAUSE_S, IDLE_FACTOR * took)
        is_of_freeze = running.until is not None and running.until != ladder.concluded_at
        return None if is_of_freeze else (ladder.id, found, running.until is not None)


def _pinned_time(ladder: Ladder) -> datetime | None:
    """Return the time whose ratings are shown, and so stay: of a freeze, or of a season's end."""
    return ladder.final_time(now()) or ladder.freezes_at


def _rate(where: Path | str, ladder_id: str, until: datetime | None) -> dict[str, Published]:
    with closing(Database(where)) as database, database.reading() as connection:
        return compute_ratings(connection, ladder_id, until)
