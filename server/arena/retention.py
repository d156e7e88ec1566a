"""Removes the folders of the oldest matches of ladders: their results stay in the database."""

import shutil
from pathlib import Path

from sqlalchemy import select

from engine.result_folder import ResultFolder
from server.arena.tables import fixtures
from server.database import Database

MOST_KEPT = 20_000
"""Matches of a ladder whose replays and logs are kept, the newest ones: one or two gigabytes."""
CLEARED_EVERY = 100
"""Matches after which the oldest are removed; so many more can there be meanwhile."""


class Retention:
    """Told of every match that was played."""

    def __init__(self, database: Database, out: Path) -> None:
        self._database = database
        self._matches = out / ResultFolder.MATCHES
        self._new: dict[str, int] = {}
        self._cleared: dict[str, int] = {}
        """The number up to which fixtures have no folder, by ladder."""

    def played(self, ladder_id: str) -> None:
        """Remove what is too old, now and then."""
        self._new[ladder_id] = self._new.get(ladder_id, 0) + 1
        if self._new[ladder_id] >= CLEARED_EVERY:
            self._new[ladder_id] = 0
            self.clear(ladder_id)

    def clear(self, ladder_id: str) -> None:
        """Remove the folders of some of the oldest matches, if there are too many."""
        mine = fixtures.c.ladder == ladder_id, fixtures.c.result.is_not(None)
        newest = select(fixtures.c.id).where(*mine).order_by(fixtures.c.id.desc())
        since = fixtures.c.id > self._cleared.get(ladder_id, 0)
        with self._database.reading() as connection:
            last = connection.execute(newest.offset(MOST_KEPT).limit(1)).scalar()
            if last is None:
                return
            old = select(fixtures.c.id, fixtures.c.key).where(*mine, since, fixtures.c.id <= last)
            rows = connection.execute(old.order_by(fixtures.c.id).limit(10 * CLEARED_EVERY)).all()
        for number, key in rows:
            shutil.rmtree(self._matches / key, ignore_errors=True)
            self._cleared[ladder_id] = number
