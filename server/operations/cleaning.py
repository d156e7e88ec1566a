"""Removes what nobody needs any more: which rows and files, and after how long.

What the database says of bots and matches stays. What becomes of the rows of each table stands in
server/operations/cleaning.py.

A table that is in neither `REMOVALS` nor `KEPT_TABLES` fails a test: whoever adds one says it here.
"""

import shutil
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, delete, func, or_, select, update

from engine.result_folder import OutName, ResultFolder
from runners.contests.retention import ContestMatches, find_old_folders
from runners.match_request import KeptReplays
from runners.storage import game_tables, ladder_tables, tables
from runners.storage.database import Database, with_time_zone
from runners.storage.game_tables import games
from runners.storage.ladder_tables import VersionState, versions
from runners.storage.together import AnyRow
from server.games.guest_pages import FRIEND_WAITS
from server.identity.account_requests import is_old_request
from server.identity.audit_log import is_old_row
from server.identity.people import SESSION_DAYS
from server.identity.shown_once import LIFETIME as SHOWN_ONCE_KEPT
from server.messages.reports import is_old_report
from server.rooms.rooms import find_battles
from server.runs.run_rows import RETENTION as RUNS_KEPT
from server.writing.draft_series import KEPT as SERIES_KEPT
from server.writing.drafts import GUEST_RETENTION, is_old_draft

SLACK_S = 60.0
"""The copy of a bot is written before the version is."""
MAX_FOLDERS_AT_ONCE = 2_000
"""Folders of matches that are removed at a time, while nothing else is begun."""
JUMP_S, HOUR_S, DAY_S = 60.0, 3_600.0, 86_400.0
YEAR = timedelta(days=365)
REFUSED_RETENTION = timedelta(days=7)
"""So long the files of a version that was refused are kept, and its first match."""


class Cleaning:
    """Told now and then what time it is."""

    def __init__(
        self,
        database: Database,
        out: Path,
        retained: KeptReplays | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`retained`: the replays that are kept; None: as many as usual.

        `monotonic`: seconds since some moment, by a clock that nobody sets.
        """
        self._database = database
        self._out = out
        self._retained = retained
        self._monotonic = monotonic
        self._next_look_s = float("-inf")
        self._ahead_s = float("inf")
        """By how much the clock was ahead of `monotonic`."""

    def run_daily(self, at: datetime) -> None:
        """Remove, once a day, what is old; of many replays some, and others at the next look.

        Where the clock has jumped ahead nothing is removed for an hour: it may be set right.
        """
        monotonic_s = self._monotonic()
        ahead_s, before_s = at.timestamp() - monotonic_s, self._ahead_s
        self._ahead_s = ahead_s
        if ahead_s - before_s > JUMP_S:
            self._next_look_s = max(self._next_look_s, monotonic_s + HOUR_S)
        if monotonic_s >= self._next_look_s:
            removed = self.clean(at, max_folders=MAX_FOLDERS_AT_ONCE)
            if removed["matches"] < MAX_FOLDERS_AT_ONCE:
                self._next_look_s = monotonic_s + DAY_S

    def clean(self, at: datetime, *, max_folders: int | None = None) -> dict[str, int]:
        """Remove what is old; return how much, by the names of tables and folders."""
        folders = self._find_old_folders(at)[:max_folders]  # before rooms go, which name theirs
        removed = {one.table.name: forget_old(self._database, one.table, at) for one in REMOVALS}
        removed |= {OutName.BOTS.value: remove_refused(self._database, self._out, at)}
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
        return counts | {ResultFolder.MATCHES.value: len(self._find_old_folders(at))}

    def _find_old_folders(self, at: datetime) -> list[Path]:
        """Return the folders of matches that go: of rooms with these, and by --keep-replays."""
        unnamed = {key for key, _ in self._database.find(find_battles(_is_old_room(at)))}
        battles = self._database.find(find_battles(~_is_old_room(at)))
        of_rooms = ContestMatches(name="rooms", played=battles, is_ladder=False)
        return find_old_folders(self._database, self._out, self._retained, at, [of_rooms], unnamed)


def forget_old(database: Database, table: Table, at: datetime) -> int:
    """Delete the old rows of a table; return how many there were."""
    (removal,) = (one for one in REMOVALS if one.table is table)
    return database.write(delete(table).where(removal.is_old(at)))


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
        database.write(update(versions).where(gone).values(first_match=None))
    return len(found)


def _find_refused(database: Database, out: Path, at: datetime) -> list[AnyRow]:
    """Return the versions that were refused long ago whose files are there, and are no other's."""
    old = versions.c.handed_in_at < at - REFUSED_RETENTION
    query = select(versions).where(versions.c.state == VersionState.REFUSED, old)
    with database.reading() as connection:
        return [
            row
            for row in connection.execute(query)
            if _is_there(out / OutName.BOTS / row.digest, since=with_time_zone(row.handed_in_at))
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


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """A table from which old rows are deleted."""

    table: Table
    is_old: Callable[[datetime], ColumnElement[bool]]
    """Returns the condition of rows that go at a time."""
    words: str
    """When they go, for docs/operating.md."""


def _is_old_invitation(at: datetime) -> ColumnElement[bool]:
    links = game_tables.invitations.c
    return (links.used_at < at - YEAR) | (links.expires_at < at - YEAR)


def _is_old_open_game(at: datetime) -> ColumnElement[bool]:
    """Those of guests that nobody joins, and of games that have been removed."""
    waiting, games = game_tables.open_games.c, game_tables.games
    is_there = select(games.c.id).where(games.c.id == waiting.id).exists()
    is_removed = (waiting.begun_at < at - FRIEND_WAITS) & ~is_there
    is_abandoned = waiting.begun_at.is_(None) & (waiting.created_at < at - FRIEND_WAITS)
    return is_removed | (waiting.made_by.is_(None) & is_abandoned)


def _is_old_room(at: datetime) -> ColumnElement[bool]:
    rooms = game_tables.rooms.c
    return rooms.has_ratings.is_(False) & (rooms.changed_at < at - YEAR)


def _is_old_check(at: datetime) -> ColumnElement[bool]:
    checks = ladder_tables.checks.c
    is_open = select(versions.c.id).where(
        versions.c.id == checks.version, versions.c.state == VersionState.CHECKING
    )
    return (checks.at < at - YEAR) & ~is_open.exists()


REMOVALS = (
    Removal(
        table=game_tables.sessions,
        is_old=lambda at: game_tables.sessions.c.used_at < at - timedelta(days=SESSION_DAYS),
        words="a year after their last use, when they sign nobody in any more",
    ),
    Removal(
        table=game_tables.shown_once,
        is_old=lambda at: game_tables.shown_once.c.kept_at < at - SHOWN_ONCE_KEPT,
        words="after 10 minutes",
    ),
    Removal(
        table=game_tables.invitations,
        is_old=_is_old_invitation,
        words="a year after their last use, or after they expired",
    ),
    Removal(
        table=game_tables.account_requests,
        is_old=is_old_request,
        words="30 days after somebody asked, 14 after a refusal",
    ),
    Removal(
        table=game_tables.audit,
        is_old=is_old_row,
        words="after a year; refused requests after 30 days",
    ),
    Removal(table=game_tables.reports, is_old=is_old_report, words="a year after they were closed"),
    Removal(
        table=game_tables.open_games,
        is_old=_is_old_open_game,
        words="after a day: those of guests that nobody joined, and those whose game was removed",
    ),
    Removal(
        table=game_tables.runs,
        is_old=lambda at: game_tables.runs.c.created_at < at - RUNS_KEPT,
        words="after a day",
    ),
    Removal(
        table=game_tables.rooms,
        is_old=_is_old_room,
        words="a year after their last battle, where none of them counts for ratings",
    ),
    Removal(
        table=game_tables.draft_series,
        is_old=lambda at: game_tables.draft_series.c.changed_at < at - SERIES_KEPT,
        words="after 7 days",
    ),
    Removal(  # before the drafts, to which they refer
        table=game_tables.draft_versions,
        is_old=lambda at: game_tables.draft_versions.c.draft.in_(
            select(game_tables.draft_bots.c.id).where(is_old_draft(at))
        ),
        words="with their draft",
    ),
    Removal(
        table=game_tables.draft_bots,
        is_old=is_old_draft,
        words="of guests: 7 days after the last change; of others: when their authors delete them",
    ),
    Removal(
        table=game_tables.course_steps,
        is_old=lambda at: (
            game_tables.course_steps.c.guest.is_not(None)
            & (game_tables.course_steps.c.tried_at < at - GUEST_RETENTION)
        ),
        words="of guests: after 7 days; of others: with the account",
    ),
    Removal(
        table=ladder_tables.checks,
        is_old=_is_old_check,
        words="after a year; what came of them stays with the version",
    ),
    Removal(
        table=ladder_tables.notices,
        is_old=lambda at: ladder_tables.notices.c.at < at - YEAR,
        words="after a year",
    ),
)
"""In an order in which rows that refer to others go before them."""
KEPT_TABLES = {
    "A game of people stays; one in which nobody has an account goes a day after the last move, or "
    "7 days after its end, and 500 such games are kept at most.": (
        game_tables.games,
        game_tables.decisions,
        game_tables.orders,
        game_tables.clocks,
        game_tables.takebacks,
        game_tables.messages,
        game_tables.messages_read,
        game_tables.messages_wanted,
        game_tables.withheld_messages,
        game_tables.avoided_seats,
        game_tables.rematch_wishes,
        game_tables.drafts,
        game_tables.premoves,
        game_tables.keys,
        game_tables.owners,
    ),
    "What belongs to an account stays until its owner removes it, or the account, of which the id "
    "then stays.": (
        game_tables.people,
        game_tables.designs,
        game_tables.recovery_codes,
        game_tables.avoided_people,
        ladder_tables.tokens,
    ),
    "Groups stay until an organizer deletes them.": (
        game_tables.people_groups,
        game_tables.group_members,
    ),
    "Bots, their versions and files stay, since results name them.": (
        ladder_tables.bots,
        ladder_tables.coauthors,
        ladder_tables.versions,
    ),
    "Results stay, and so does why a match could not be played.": (
        ladder_tables.entries,
        ladder_tables.fixtures,
        ladder_tables.players,
        ladder_tables.ratings,
        tables.matches,
        tables.failures,
        tables.contests,
        tables.entrants,
        tables.secrets,
    ),
    "These have few rows, which are changed in place.": (tables.about, game_tables.leases),
}
"""Tables whose rows no cleaning deletes, by the reason, for docs/operating.md."""
