"""Who sees which results of a ladder: the one place that says it for pages, feeds and exports."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import ColumnElement, true

from runners.contests.ladders import Ladder
from runners.storage.ladder_tables import fixtures


class Viewer(Protocol):
    """Somebody who is signed in."""

    @property
    def is_organizer(self) -> bool: ...


def visible_until(ladder: Ladder, viewer: Viewer | None, at: datetime) -> datetime | None:
    """Return the instant before which a match must have been played to be seen; None: all are.

    While a season is frozen only organizers see what was played since, also of their own bots;
    after its end everybody does. `viewer`: None for who is not signed in.
    """
    sees_all = viewer is not None and viewer.is_organizer
    return None if sees_all or not ladder.is_frozen(at) else ladder.freezes_at


def table_until(ladder: Ladder, viewer: Viewer | None, at: datetime) -> datetime | None:
    """Return the instant whose table is shown; None: as it is now.

    That of a season which is over stays as its final has left it, whatever its bots become.
    """
    return visible_until(ladder, viewer, at) or ladder.final_time(at)


def is_visible(when: datetime, until: datetime | None) -> bool:
    """Return whether somebody who sees results before `until` sees what came of that instant."""
    return until is None or when < until


def played_before(until: datetime | None) -> ColumnElement[bool]:
    """Return the condition of a query for fixtures whose results are seen.

    Everything that is counted goes through it: a number that grows would tell what is hidden.
    """
    played = fixtures.c.played_at.is_not(None)
    return played & (true() if until is None else fixtures.c.played_at < until)
