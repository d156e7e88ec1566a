"""The bots of contests: who has entered, who did not play and why, and who is taken out."""

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, func, or_, select, update

from runners.contests.authors import author_ids, author_names, coauthor_ids
from runners.contests.contests import Ladder
from runners.contests.entries import set_entry_state
from runners.contests.tournament_request import tournament_title
from runners.storage.database import Database, Stale, now, struct_from_row
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    entries,
    fixtures,
    players,
    versions,
)
from runners.storage.tables import contests
from runners.storage.together import Lookup, Rows
from server.contests.match_rows import select_fixtures_of_bot
from server.contests.notices import page_of, tell_all

MAX_REASON_LENGTH = 300
"""Letters of a reason that is shown to everybody."""
LEAVING_STATES = {EntryState.DISQUALIFIED, EntryState.WITHDRAWN}


class Moderation:
    """Decisions about entries and fixtures, in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def approve_all(self, ladder_id: str, up_to: datetime) -> list[str]:
        """Let all bots in that have been waiting since a time or longer; return their ids."""
        waiting = (
            entries.c.contest == ladder_id,
            entries.c.state == EntryState.WAITING,
            entries.c.changed_at <= up_to,
        )
        playing = {"state": EntryState.PLAYING, "why": "", "changed_at": now()}
        with self._database.transaction() as connection:
            found = select(entries.c.bot).where(*waiting).order_by(entries.c.bot)
            ids = list(connection.execute(found).scalars())
            connection.execute(update(entries).where(*waiting).values(playing))
        return ids

    def take_out(
        self, ladder_id: str, bot_id: str, state: EntryState, why: str, *, voids: bool
    ) -> int:
        """Disqualify or withdraw a bot; `voids`: what it has played does not count any more.

        What it was yet to play is void in any case. Return how many matches became void.
        Raises: Stale if the bot has not entered, or stands so already.
        """
        assert state in LEAVING_STATES
        with self._database.transaction() as connection:
            reason, was = why[:MAX_REASON_LENGTH], set(EntryState) - {state}
            set_entry_state(connection, ladder_id, bot_id, state, reason, was=was)
            _tell_authors(connection, ladder_id, bot_id, state, why)
            condition = fixtures.c.ladder == ladder_id
            condition &= fixtures.c.id.in_(select_fixtures_of_bot(bot_id))
            if not voids:
                condition = condition & fixtures.c.played_at.is_(None)
            return _void_fixtures(connection, condition, f"{state}: {why}"[:MAX_REASON_LENGTH])

    def void(self, ladder_id: str, fixture_id: int, why: str) -> None:
        """Let a match not count. Raises: Stale if there is none of this ladder that counts."""
        with self._database.transaction() as connection:
            condition = (fixtures.c.ladder == ladder_id) & (fixtures.c.id == fixture_id)
            if _void_fixtures(connection, condition, why[:MAX_REASON_LENGTH]) != 1:
                raise Stale

    def count_again(self, ladder_id: str, fixture_id: int) -> None:
        """Let a void match count again. Raises: Stale if it is not void, or was never played."""
        with self._database.transaction() as connection:
            changed = connection.execute(
                update(fixtures)
                .where(
                    fixtures.c.ladder == ladder_id,
                    fixtures.c.id == fixture_id,
                    fixtures.c.is_void,
                    fixtures.c.has_result,
                )
                .values(is_void=False, why="")
            )
            if changed.rowcount != 1:
                raise Stale

    def has_fixtures(self, ladder_id: str) -> bool:
        """Return whether matches of a ladder were made: its settings are fixed from then on."""
        query = select(fixtures.c.id).where(fixtures.c.ladder == ladder_id).limit(1)
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    def has_played_since(self, ladder_id: str, at: datetime) -> bool:
        """Return whether a match of a ladder was played since a time."""
        condition = fixtures.c.ladder == ladder_id, fixtures.c.played_at >= at
        with self._database.reading() as connection:
            return connection.execute(select(fixtures.c.id).where(*condition)).first() is not None

    def count_matches(self, ladder_id: str, bot_id: str) -> int:
        """Return how many matches that count a bot has played on a ladder."""
        condition = (
            fixtures.c.ladder == ladder_id,
            fixtures.c.id.in_(select_fixtures_of_bot(bot_id)),
        )
        counts = fixtures.c.has_result, fixtures.c.is_void.is_(False)
        query = select(func.count()).where(*condition, *counts)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()


def _tell_authors(
    connection: Connection, ladder_id: str, bot_id: str, state: EntryState, why: str
) -> None:
    """Tell a bot's authors that it was taken out."""
    bot = connection.execute(select(bots, coauthor_ids()).where(bots.c.id == bot_id)).one()
    named = select(contests.c.title).where(contests.c.name == ladder_id)
    title = connection.execute(named).scalar() or tournament_title(ladder_id)
    message = f"{bot.name} was {state} from {title}" + (f": {why}" if why else "")
    tell_all(connection, author_ids(bot), message, page_of(ladder_id))


def _void_fixtures(connection: Connection, which: ColumnElement[bool], why: str) -> int:
    """Return how many became void that were not."""
    voided = update(fixtures).where(which, fixtures.c.is_void.is_(False))
    return connection.execute(voided.values(is_void=True, why=why)).rowcount


WITHDRAWN = "its author has withdrawn it"
NOT_LET_IN = "no organizer has let it in"
REFUSED = "the checks have refused it"
CHECKING = "its checks have not ended yet"
LEFT = "no version of it was ready to play"
ALONE = "there was nobody whom it could meet"


class ContestBot(msgspec.Struct, frozen=True):
    """A bot of a contest, in a list."""

    bot: str
    name: str
    author: str
    """The names of its authors."""
    person: str
    """The id of its owner."""
    why: str
    """Why it does not play, or did not."""


class EnteredBot(ContestBot, frozen=True, kw_only=True):
    """A bot that has entered a contest."""

    state: EntryState
    entered_at: datetime
    changed_at: datetime


def entered_bots(
    contest: str, states: Collection[EntryState] = tuple(EntryState)
) -> Lookup[list[EnteredBot]]:
    """Look up the bots of a ladder or tournament, those that entered first first."""
    query = (
        select(entries, bots.c.name, bots.c.person, author_names())
        .join(bots, bots.c.id == entries.c.bot)
        .join(people, people.c.id == bots.c.person)
        .where(entries.c.contest == contest, entries.c.state.in_(states))
        .order_by(entries.c.entered_at, bots.c.name)
    )
    return Lookup(query, lambda rows: [struct_from_row(EnteredBot, row) for row in rows])


def absentees(ladder: Ladder) -> Lookup[list[ContestBot]]:
    """Look up the bots without a match in a season, by name, but those that were disqualified."""
    of_ladder = and_(entries.c.bot == bots.c.id, entries.c.contest == ladder.id)
    has_played = (
        select(players.c.seat)
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .join(versions, versions.c.id == players.c.version)
        .where(fixtures.c.ladder == ladder.id, fixtures.c.has_result, versions.c.bot == bots.c.id)
        .exists()
    )
    query = (
        select(
            bots.c.id,
            bots.c.name,
            author_names(),
            bots.c.person,
            entries.c.state.label("entry"),
            versions.c.state.label("version"),
        )
        .select_from(
            bots.join(people, people.c.id == bots.c.person)
            .join(versions, versions.c.bot == bots.c.id)
            .outerjoin(entries, of_ladder)
        )
        .where(
            or_(entries.c.contest.is_not(None), versions.c.ladder == ladder.id),
            versions.c.handed_in_at < (ladder.ends_at or now()),
            people.c.is_banned.is_(False),
            ~has_played,
        )
        .order_by(bots.c.name_key, bots.c.id, versions.c.number)
    )
    return Lookup(query, _absentees_from_rows)


def _absentees_from_rows(rows: Rows) -> list[ContestBot]:
    newest = {row.id: row for row in rows}
    return [
        ContestBot(row.id, row.name, row.author, row.person, _why_absent(row))
        for row in newest.values()
        if row.entry != EntryState.DISQUALIFIED
    ]


def _why_absent(row: Row[tuple[str, str, str, str | None, str]]) -> str:
    if row.entry == EntryState.WITHDRAWN:
        return WITHDRAWN
    if row.entry == EntryState.WAITING:
        return NOT_LET_IN
    if row.version == VersionState.REFUSED:
        return REFUSED
    if row.version == VersionState.CHECKING:
        return CHECKING
    return ALONE if row.entry == EntryState.PLAYING and row.version == VersionState.ACTIVE else LEFT
