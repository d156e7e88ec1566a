"""Who sees which results of a ladder, and which submissions: for pages, feeds and exports."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import ColumnElement, FromClause, exists, or_, select, true

from runners.contests.contests import Ladder
from runners.storage.ladder_tables import VersionState, entries, fixtures, versions
from runners.storage.tables import contests
from runners.storage.together import Lookup

IS_SEALED_NOW = contests.c.is_sealed & contests.c.settled_at.is_(None)


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


def was_played_before(until: datetime | None) -> ColumnElement[bool]:
    """Return the condition of a query for fixtures whose results are seen.

    Everything that is counted goes through it: a number that grows would tell what is hidden.
    """
    played = fixtures.c.played_at.is_not(None)
    return played & (true() if until is None else fixtures.c.played_at < until)


def find_sealed_ladders() -> Lookup[dict[str, str]]:
    """Look up the ids of the ladders that play no matches until a tournament of theirs begins.

    Each has the name of that tournament: the last one, where there are several.
    """
    query = (
        select(contests.c.ladder, contests.c.name)
        .where(IS_SEALED_NOW)
        .order_by(contests.c.begins_at)
    )
    return Lookup(query, lambda rows: {row.ladder: row.name for row in rows})


def find_sealed_versions(which: ColumnElement[bool]) -> Lookup[frozenset[str]]:
    """Look up the ids of those among some versions that were handed in under a seal that holds."""
    query = select(versions.c.id).where(which, is_sealed(versions))
    return Lookup(query, lambda rows: frozenset(row.id for row in rows))


def is_sealed(version: FromClause) -> ColumnElement[bool]:
    """Return the condition of a query for versions that were handed in under a seal that holds.

    `version`: the table of versions, or an alias of it, among those of the query. Its bot plays on
    the sealed ladder, or is to enter it once its checks have ended.
    """
    entered = entries.alias()
    ladder = contests.c.ladder
    on_ladder = select(entered.c.bot).where(entered.c.contest == ladder)
    return exists().where(
        IS_SEALED_NOW,
        contests.c.begun_at <= version.c.handed_in_at,
        or_(ladder == version.c.ladder, version.c.bot.in_(on_ladder)),
    )


def is_met() -> ColumnElement[bool]:
    """Return the condition of a query for the versions by which others may meet a bot.

    That is its active version; in place of one under a seal, those of before, the newest of which
    is to be taken.
    """
    active = versions.alias()
    in_place_of_sealed = exists().where(
        active.c.bot == versions.c.bot, active.c.state == VersionState.ACTIVE, is_sealed(active)
    )
    is_former = (versions.c.state == VersionState.FORMER) & in_place_of_sealed
    return ((versions.c.state == VersionState.ACTIVE) | is_former) & ~is_sealed(versions)
