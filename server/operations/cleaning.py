"""Removes what nobody needs any more: old rows, the files of bots that were refused, old replays.

What the database says of bots and matches stays. What becomes of the rows of each table stands in
server/operations/ages.py.
"""

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, func, or_, select, update

from engine.result_folder import OutName, ResultFolder
from runners.contests.retention import find_old_folders
from runners.run_options import KeptReplays
from runners.storage.database import Database, aware
from runners.storage.game_tables import games
from runners.storage.ladder_tables import VersionState, versions
from server.operations.ages import REFUSED_KEPT, REMOVALS

SLACK_S = 60.0
"""The copy of a bot is written before the version is."""
MAX_FOLDERS_AT_ONCE = 2_000
"""Folders of matches that are removed at a time, while nothing else is begun."""


class Cleaning:
    """Told now and then what time it is."""

    def __init__(self, database: Database, out: Path, kept: KeptReplays | None = None) -> None:
        """`kept`: the replays that are kept; None: as many as usual."""
        self._database = database
        self._out = out
        self._kept = kept
        self._next_look: datetime | None = None

    def look(self, at: datetime) -> None:
        """Remove, once a day, what is old; of many replays some, and others at the next look."""
        if self._next_look is None or at >= self._next_look:
            removed = self.clean(at, max_folders=MAX_FOLDERS_AT_ONCE)
            if removed["matches"] < MAX_FOLDERS_AT_ONCE:
                self._next_look = at + timedelta(days=1)

    def clean(self, at: datetime, *, max_folders: int | None = None) -> dict[str, int]:
        """Remove what is old; return how much, by the names of tables and folders."""
        removed = {one.table.name: forget_old(self._database, one.table, at) for one in REMOVALS}
        removed |= {OutName.BOTS.value: remove_refused(self._database, self._out, at)}
        folders = find_old_folders(self._database, self._out, self._kept, at)[:max_folders]
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        return removed | {ResultFolder.MATCHES.value: len(folders)}

    def count_old(self, at: datetime) -> dict[str, int]:
        """Return what `clean` would remove."""
        with self._database.reading() as connection:
            counts = {
                one.table.name: connection.execute(
                    select(func.count()).select_from(one.table).where(one.is_old(at))
                ).scalar_one()
                for one in REMOVALS
            }
        counts[OutName.BOTS.value] = len(_find_refused(self._database, self._out, at))
        old = find_old_folders(self._database, self._out, self._kept, at)
        return counts | {ResultFolder.MATCHES.value: len(old)}


def forget_old(database: Database, table: Table, at: datetime) -> int:
    """Delete the old rows of a table; return how many there were."""
    (removal,) = (one for one in REMOVALS if one.table is table)
    with database.writing() as connection:
        return connection.execute(delete(table).where(removal.is_old(at))).rowcount


def remove_refused(database: Database, out: Path, at: datetime) -> int:
    """Remove the files and first matches of versions that were refused long ago.

    Return how many versions lost their files. Others may have handed in the same ones, or have
    played them here before: those stay.
    """
    found = _find_refused(database, out, at)
    for row in found:
        shutil.rmtree(out / OutName.BOTS / row.digest, ignore_errors=True)
        if row.first_match is not None:
            shutil.rmtree(out / ResultFolder.MATCHES / row.first_match, ignore_errors=True)
    if found:
        gone = versions.c.id.in_([row.id for row in found])
        with database.writing() as connection:
            connection.execute(update(versions).where(gone).values(first_match=None))
    return len(found)


def _find_refused(database: Database, out: Path, at: datetime) -> list[Row[Any]]:
    """Return the versions that were refused long ago whose files are there, and are no other's."""
    old = versions.c.handed_in_at < at - REFUSED_KEPT
    query = select(versions).where(versions.c.state == VersionState.REFUSED, old)
    with database.reading() as connection:
        return [
            row
            for row in connection.execute(query)
            if _is_there(out / OutName.BOTS / row.digest, since=aware(row.handed_in_at))
            and not _is_used(connection, row.digest)
        ]


def _is_there(copy: Path, since: datetime) -> bool:
    """Return whether there is a copy of a bot, of that time or later."""
    try:
        return copy.stat().st_mtime >= since.timestamp() - SLACK_S
    except OSError:
        return False


def _is_used(connection: Connection, digest: str) -> bool:
    """Return whether a bot plays, or has played, on a ladder or in somebody's game."""
    accepted = select(versions.c.id).where(
        versions.c.digest == digest, versions.c.state != VersionState.REFUSED
    )
    played = select(games.c.id).where(
        or_(games.c.spec.contains(digest), games.c.seats.contains(digest))
    )
    return any(
        connection.execute(query.limit(1)).first() is not None for query in (accepted, played)
    )
