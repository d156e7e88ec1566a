"""What becomes of the rows of each table: the one list of it, which cleaning and documents follow.

A table that is in neither `REMOVALS` nor `KEPT` fails a test: whoever adds one says it here.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, Table, select

from runners.storage import game_tables, ladder_tables, tables
from runners.storage.ladder_tables import VersionState, versions
from server.games.guest_pages import WAITS
from server.games.reports import is_old_report
from server.identity.account_requests import is_old_request
from server.identity.audit_log import is_old_row
from server.identity.people import SESSION_DAYS
from server.identity.shown_once import KEPT as SHOWN_ONCE_KEPT
from server.runs.run_rows import KEPT as RUNS_KEPT
from server.writing.drafts import GUEST_KEPT, is_old_draft
from server.writing.series_rows import KEPT as SERIES_KEPT

YEAR = timedelta(days=365)
REFUSED_KEPT = timedelta(days=7)
"""So long the files of a version that was refused are kept, and its first match."""


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
    is_removed = (waiting.begun_at < at - WAITS) & ~is_there
    is_abandoned = waiting.begun_at.is_(None) & (waiting.created_at < at - WAITS)
    return is_removed | (waiting.made_by.is_(None) & is_abandoned)


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
            & (game_tables.course_steps.c.tried_at < at - GUEST_KEPT)
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
KEPT = {
    "A game of people stays, as its players come back to it; one in which nobody has an account "
    "goes a day after the last move, or 7 days after its end, and 500 such games are kept at "
    "most.": (
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
    "What belongs to an account stays until its owner removes it, or the account; of the account "
    "itself its id then stays, since results refer to it.": (
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
    "Bots and their versions stay, since results name them, and so do their files in the folder "
    "`bots`, with which a match can be played again.": (
        ladder_tables.bots,
        ladder_tables.coauthors,
        ladder_tables.versions,
    ),
    "Results stay, since ratings and standings follow from them; so does why a match could not be "
    "played, or it would be tried again.": (
        ladder_tables.ladders,
        ladder_tables.entries,
        ladder_tables.fixtures,
        ladder_tables.players,
        ladder_tables.ratings,
        ladder_tables.scheduled_tournaments,
        ladder_tables.tournament_entries,
        tables.matches,
        tables.failures,
        tables.contests,
        tables.entrants,
        tables.secrets,
    ),
    "These have few rows, which are changed in place.": (tables.about, game_tables.leases),
}
"""Tables whose rows no cleaning deletes, by the reason, for docs/operating.md."""
