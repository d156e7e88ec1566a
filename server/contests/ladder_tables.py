"""How ladders stand: their tables as a visitor may see them, kept until something changes."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, FromClause, ScalarSelect, func, select

from engine.errors import UnknownGame
from engine.spec import decode_spec
from runners.contests.authors import author_ids, author_names, coauthor_ids
from runners.contests.contests import Ladder
from runners.contests.ladder_ratings import Published, find_latest_ratings
from runners.contests.visibility import was_played_before
from runners.formats.open_ladder import PLACEMENT_SETS
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    coauthors,
    entries,
    fixtures,
    players,
    versions,
)
from runners.storage.ladder_tables import ratings as published
from runners.storage.tables import IS_LADDER, contests
from runners.storage.together import AnyRow, AnySelect, Lookup, only_value, read_lookups
from server.identity.people import BUILT_IN_OWNER

TREND_PERIOD = timedelta(days=1)
"""A rating is compared with that of so long ago."""
MAX_CACHED_TABLES = 100
LISTED_STATES = (VersionState.ACTIVE, VersionState.QUARANTINED)
"""The states of the version of a bot that stands in a table; at the time of a freeze it may have
become a former one since."""
SETTLED_AFTER = timedelta(minutes=5)
"""What was played so long ago is in the database, whoever wrote it."""


class Standing(msgspec.Struct, kw_only=True):
    """A bot in the table of a ladder; nobody changes one that is in a table."""

    rank: int | None
    """None without a rating."""
    bot: str
    name: str
    author: str
    """Its authors' names."""
    authors: frozenset[str]
    """Their ids."""
    version: str
    number: int
    """The number of the version."""
    games: int
    rating: Published | None
    is_provisional: bool
    """It has not played enough: the rating is its predecessor's, with a wider interval."""
    is_quarantined: bool
    is_house: bool
    """It is a starter bot that came with the server."""
    trend: float | None
    """The rating has risen by so much since yesterday; None where it had none."""
    changed_at: datetime
    """When its version was handed in."""

    @property
    def elo(self) -> float | None:
        return None if self.rating is None else self.rating.elo


class Mark(NamedTuple):
    """What changes with a table."""

    rated_at: datetime | None
    entered: Hashable
    """Its bots and their authors, and the hour, as ratings are compared with those of before."""


class LadderTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a ladder."""

    mark: "Mark"
    """Another one, another table."""
    standings: list[Standing]
    matches: int


class LadderTables:
    """The tables of all ladders. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counts = MatchCounts()
        self._lock = threading.Lock()
        self._kept = OrderedDict[tuple[str, datetime | None], tuple[LadderTable, list[_Bot]]]()
        """The bots of each table are kept, too: new ratings leave them as they are."""

    def table(self, ladder: Ladder, until: datetime | None) -> LadderTable:
        """Return how a ladder stands, or how it stood at a time."""
        table, *_ = self.table_and(ladder, until)
        return table

    def table_and(
        self, ladder: Ladder, until: datetime | None, *lookups: Lookup[Any]
    ) -> tuple[LadderTable, *tuple[Any, ...]]:
        """Return how a ladder stands or stood, and what other lookups find: they are sent along."""
        with self._database.reading() as connection:
            rated_at, entered, *found = read_lookups(connection, *_changes(ladder, until), *lookups)
            table = self._table(connection, ladder, until, _mark(rated_at, entered))
        return table, *found

    def tables(self, wanted: Sequence[tuple[Ladder, datetime | None]]) -> list[LadderTable]:
        """Return how several ladders stand, or stood at a time."""
        changes = (change for one in wanted for change in _changes(*one))
        with self._database.reading() as connection:
            found = read_lookups(connection, *changes)
            return [
                self._table(connection, ladder, until, _mark(rated_at, entered))
                for (ladder, until), rated_at, entered in zip(
                    wanted, found[::2], found[1::2], strict=True
                )
            ]

    def _table(
        self, connection: Connection, ladder: Ladder, until: datetime | None, mark: Mark
    ) -> LadderTable:
        """Return the table that a mark is of: the one that is kept, or a new one."""
        key = ladder.id, until
        with self._lock:
            found, listed = self._kept.get(key, (None, []))
        if found is None or found.mark != mark:
            if found is None or found.mark.entered != mark.entered:
                listed = _find_bots(connection, ladder.id, until)
            matches = self._counts.of(connection, ladder.id, until)
            found = _compute_table(connection, ladder, until, mark, listed, matches)
        with self._lock:
            self._kept[key] = found, listed
            self._kept.move_to_end(key)
            while len(self._kept) > MAX_CACHED_TABLES:
                self._kept.popitem(last=False)
        return found


def ladder_state(ladder: Ladder, at: datetime) -> str:
    """Return in few words how a ladder stands."""
    if ladder.is_over(at):
        return "over"
    if not ladder.has_present_rules:
        return f"of other rules (version {ladder.spec.rules_version})"
    if ladder.is_paused:
        return "paused in its final" if ladder.is_in_final(at) else "paused"
    if not ladder.has_begun(at):
        return "not begun"
    if ladder.is_in_final(at):
        return "in its final"
    return "frozen" if ladder.is_frozen(at) else "running"


def _mark(rated_at: datetime | None, entered: Hashable) -> Mark:
    """Return what changes with a table: its ratings, its bots, or their authors."""
    return Mark(rated_at, (entered, now().replace(minute=0, second=0, microsecond=0)))


def _changes(
    ladder: Ladder, until: datetime | None
) -> tuple[Lookup[datetime | None], Lookup[Hashable]]:
    """Look up when a table was rated, and what changes with its bots and their authors."""
    rated = select(func.max(published.c.at)).where(published.c.ladder == ladder.id)
    entered = (
        select(
            versions.c.state,
            entries.c.state,
            people.c.is_banned,
            func.count(),
            func.max(entries.c.changed_at),
            func.max(versions.c.handed_in_at),
            func.sum(versions.c.number),  # a former version may be active again
            *_sharing(ladder.id),
        )
        .select_from(_entries_join())
        .where(entries.c.contest == ladder.id)
        .group_by(versions.c.state, entries.c.state, people.c.is_banned)
    )
    if until is not None:
        rated = rated.where(published.c.at <= until)
    return Lookup(rated, only_value), Lookup(entered, lambda rows: tuple(map(tuple, rows)))


def _sharing(ladder_id: str) -> list[ScalarSelect[object]]:
    """Return what changes when a bot of a ladder gets another author, or loses one."""
    here = coauthors.c.bot.in_(select(entries.c.bot).where(entries.c.contest == ladder_id))
    return [
        select(what).where(here).scalar_subquery()
        for what in (func.count(coauthors.c.accepted_at), func.max(coauthors.c.accepted_at))
    ]


class _Bot(NamedTuple):
    """A bot of a table, as it is before its rating is known."""

    standing: Standing
    former: Sequence[str]
    """Its versions before, the newest last."""
    elo_before: float | None
    """Its rating of a day before."""


def _find_bots(connection: Connection, ladder_id: str, until: datetime | None) -> list[_Bot]:
    """Return the bots that are listed."""
    rows = connection.execute(_versions_query(ladder_id, until)).all()
    found = (_make_bot(list(of_bot), until) for _, of_bot in groupby(rows, lambda row: row.bot))
    return [one for one in found if one is not None]


def _compute_table(
    connection: Connection,
    ladder: Ladder,
    until: datetime | None,
    mark: Mark,
    listed: Sequence[_Bot],
    matches: int,
) -> LadderTable:
    ratings = find_latest_ratings(connection, ladder.id, until)
    settled = PLACEMENT_SETS * max(ladder.game.team_counts)
    enough = {version: one for version, one in ratings.items() if one.games >= settled}
    new = [one.standing.version for one in listed if one.standing.version not in enough]
    (played,) = (
        read_lookups(connection, match_counts_by_version(ladder.id, until, new)) if new else ({},)
    )
    standings = [
        _with_rating(one, rated, games=rated.games, is_provisional=False)
        if (rated := enough.get(one.standing.version)) is not None
        else _place_bot(one, ratings, *played.get(one.standing.version, (0, 0)))
        for one in listed
    ]
    standings.sort(key=lambda one: (one.elo is None, -(one.elo or 0.0), one.name.casefold()))
    for rank, one in enumerate(standings, 1):
        one.rank = None if one.rating is None else rank
    return LadderTable(mark=mark, standings=standings, matches=matches)


def _make_bot(rows: Sequence[AnyRow], until: datetime | None) -> _Bot | None:
    """Return a bot by its versions, the one that plays last; None if none of them plays now."""
    *former, newest = rows
    if until is None and newest.state not in LISTED_STATES:
        return None
    standing = Standing(
        rank=None,
        bot=newest.bot,
        name=newest.name,
        author=newest.author,
        authors=author_ids(newest),
        version=newest.id,
        number=newest.number,
        games=0,
        rating=None,
        is_provisional=True,
        is_quarantined=newest.state == VersionState.QUARANTINED and until is None,
        is_house=newest.person == BUILT_IN_OWNER,
        trend=None,
        changed_at=with_time_zone(newest.handed_in_at),
    )
    before = (row.elo_before for row in reversed(rows) if row.elo_before is not None)
    return _Bot(standing, [row.id for row in former], next(before, None))


def _place_bot(bot: _Bot, ratings: Mapping[str, Published], games: int, sets: int) -> Standing:
    """Return how a bot stands whose version is new: with the rating of the one before it.

    The interval is then wider. `games` and `sets` are those of the version.
    """
    own = ratings.get(bot.standing.version)
    before = next((ratings[one] for one in reversed(bot.former) if one in ratings), None)
    is_provisional = sets < PLACEMENT_SETS
    if own is None or (is_provisional and before is not None):
        own = None if before is None else before.with_wider_interval()
    return _with_rating(bot, own, games=games, is_provisional=is_provisional)


def _with_rating(
    bot: _Bot, rating: Published | None, *, games: int, is_provisional: bool
) -> Standing:
    standing = copy(bot.standing)
    is_rated = rating is not None and rating.elo is not None
    if rating is not None and rating.elo is not None and bot.elo_before is not None:
        standing.trend = rating.elo - bot.elo_before
    standing.rating = rating if is_rated else None
    standing.games, standing.is_provisional = games, is_provisional
    return standing


def match_counts_by_version(
    ladder_id: str, until: datetime | None, version_ids: Sequence[str]
) -> Lookup[Mapping[str, tuple[int, int]]]:
    """Look up in how many matches and sets that count these versions have played."""
    query = (
        select(
            players.c.version,
            func.count().label("games"),
            func.count(fixtures.c.set_number.distinct()).label("sets"),
        )
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .where(
            players.c.version.in_(version_ids),
            fixtures.c.ladder == ladder_id,
            fixtures.c.has_result,
            fixtures.c.is_void.is_(False),
            was_played_before(until),
        )
        .group_by(players.c.version)
    )
    return Lookup(query, lambda rows: {row.version: (row.games, row.sets) for row in rows})


def _entries_join() -> FromClause:
    return (
        entries.join(bots, bots.c.id == entries.c.bot)
        .join(versions, versions.c.bot == bots.c.id)
        .join(people, people.c.id == bots.c.person)
    )


def _versions_query(ladder_id: str, until: datetime | None) -> AnySelect:
    """Return the query of the versions of bots that are listed, bot by bot.

    Of each bot the one that plays comes last. `elo_before` is the rating of a day before.
    """
    before = (
        select(published.c.elo)
        .where(
            published.c.ladder == ladder_id,
            published.c.version == versions.c.id,
            published.c.at <= (until or now()) - TREND_PERIOD,
        )
        .order_by(published.c.at.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(
            versions.c.id,
            versions.c.bot,
            versions.c.number,
            versions.c.state,
            versions.c.handed_in_at,
            bots.c.name,
            bots.c.person,
            author_names(),
            coauthor_ids(),
            before.label("elo_before"),
        )
        .select_from(_entries_join())
        .where(
            entries.c.contest == ladder_id,
            entries.c.state == EntryState.PLAYING,
            versions.c.state.in_((*LISTED_STATES, VersionState.FORMER)),
            people.c.is_banned.is_(False),
        )
    )
    if until is not None:
        query = query.where(entries.c.entered_at < until, versions.c.handed_in_at < until)
        return query.order_by(versions.c.bot, versions.c.number)
    return query.order_by(versions.c.bot, versions.c.state.in_(LISTED_STATES), versions.c.number)


class MatchCounts:
    """The counts of all ladders. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted = dict[str, tuple[datetime, int]]()
        """By ladder: how many were played before a time."""

    def of(self, connection: Connection, ladder_id: str, until: datetime | None) -> int:
        """Return how many matches have a result; `until`: only those that were played before."""
        if until is not None:
            return _count(connection, ladder_id, was_played_before(until))
        settled = now() - SETTLED_AFTER
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
    condition = fixtures.c.ladder == ladder_id, fixtures.c.has_result
    return connection.execute(select(func.count()).where(*condition, *which)).scalar_one()


def find_unplayable() -> Lookup[list[tuple[str, str]]]:
    """Look up the ladders for everybody whose game is not installed, and what is missing."""
    is_public = IS_LADDER & contests.c.only_group.is_(None)
    query = select(contests.c.title, contests.c.spec).where(is_public)
    return Lookup(query, lambda rows: [(row.title, why) for row in rows if (why := _why_not(row))])


def _why_not(row: AnyRow) -> str:
    try:
        decode_spec(row.spec.encode())
    except UnknownGame as error:
        return str(error)
    return ""
