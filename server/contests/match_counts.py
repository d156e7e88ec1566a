"""How many matches of a ladder were played: counted once, and then only those that are new."""

import threading
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, func, select

from runners.contests.visibility import played_before
from runners.storage.database import now
from runners.storage.ladder_tables import fixtures

SETTLED = timedelta(minutes=5)
"""What was played so long ago is in the database, whoever wrote it."""


class MatchCounts:
    """The counts of all ladders. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted = dict[str, tuple[datetime, int]]()
        """By ladder: how many were played before a time."""

    def of(self, connection: Connection, ladder_id: str, until: datetime | None) -> int:
        """Return how many matches have a result; `until`: only those that were played before."""
        if until is not None:
            return _count(connection, ladder_id, played_before(until))
        settled = now() - SETTLED
        with self._lock:
            known = self._counted.get(ladder_id)
        if known is None or known[0] > settled:  # the clock may have been set back
            before = _count(connection, ladder_id, fixtures.c.played_at < settled)
        else:
            since = fixtures.c.played_at >= known[0]
            before = known[1] + _count(connection, ladder_id, since, fixtures.c.played_at < settled)
        with self._lock:
            self._counted[ladder_id] = settled, before
        return before + _count(connection, ladder_id, fixtures.c.played_at >= settled)


def _count(connection: Connection, ladder_id: str, *which: ColumnElement[bool]) -> int:
    mine = fixtures.c.ladder == ladder_id, fixtures.c.has_result
    return connection.execute(select(func.count()).where(*mine, *which)).scalar_one()
