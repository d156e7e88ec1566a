"""Removes what nobody needs any more: bots that were refused, old rows of the audit log, reports.

What the database says of them stays.
"""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, or_, select, update

from engine.result_folder import ResultFolder
from runners.storage.database import Database, aware
from runners.storage.game_tables import games
from runners.storage.ladder_tables import VersionState, versions
from server.games.reports import forget_old_reports
from server.identity.account_requests import forget_old_requests
from server.identity.audit_log import AuditLog
from server.writing.drafts import forget_old_drafts

REFUSED_KEPT = timedelta(days=7)
"""So long the files of a version that was refused are kept, and its first match."""
SLACK_S = 60.0
"""The copy of a bot is written before the version is."""
BOTS = "bots"
"""The folder of the copies of bots."""


class Cleaning:
    """Told now and then what time it is."""

    def __init__(self, database: Database, out: Path) -> None:
        self._database = database
        self._out = out
        self._next_look: datetime | None = None

    def look(self, at: datetime) -> None:
        """Remove, once a day, the bots that were refused and the reports that were closed long ago.

        Old rows of the audit log go, too, and requests for an account that have expired,
        and the drafts of guests who have not come back.
        """
        if self._next_look is None or at >= self._next_look:
            self._next_look = at + timedelta(days=1)
            remove_refused(self._database, self._out, at)
            AuditLog(self._database).forget_old(at)
            forget_old_reports(self._database, at)
            forget_old_requests(self._database, at)
            forget_old_drafts(self._database, at)


def remove_refused(database: Database, out: Path, at: datetime) -> int:
    """Remove the files and first matches of versions that were refused long ago.

    Return how many versions lost their files. Others may have handed in the same ones, or have
    played them here before: those stay.
    """
    old = versions.c.handed_in_at < at - REFUSED_KEPT
    query = select(versions).where(versions.c.state == VersionState.REFUSED, old)
    with database.reading() as connection:
        found = [
            row
            for row in connection.execute(query)
            if _is_there(out / BOTS / row.digest, since=aware(row.handed_in_at))
            and not _is_used(connection, row.digest)
        ]
    for row in found:
        shutil.rmtree(out / BOTS / row.digest, ignore_errors=True)
        if row.first_match is not None:
            shutil.rmtree(out / ResultFolder.MATCHES / row.first_match, ignore_errors=True)
    if found:
        gone = versions.c.id.in_([row.id for row in found])
        with database.writing() as connection:
            connection.execute(update(versions).where(gone).values(first_match=None))
    return len(found)


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
