"""How ladders stand: their tables as a visitor may see them, kept until something changes."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, FromClause, Select, func, select

from server.arena.ladders import Ladder
from server.arena.pairing import PLACEMENT_SETS
from server.arena.rating import Published, latest
from server.arena.tables import EntryState, VersionState, bots, entries, fixtures, players, versions
from server.arena.tables import ratings as published
from server.arena.visibility import played_before
from server.database import Database
from server.people import aware, now
from server.tables import people

TREND = timedelta(days=1)
"""A rating is compared with that of so long ago."""
MOST_KEPT = 100
SHOWN = (VersionState.ACTIVE, VersionState.QUARANTINED)
"""The states of the version of a bot that stands in a table; at the time of a freeze it may have
become a former one since."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in the table of a ladder."""

    rank: int | None
    """None without a rating."""
    bot: str
    name: str
    author: str
    person: str
    """The id of its author."""
    version: str
    number: int
    """The number of the version."""
    games: int
    rating: Published | None
    is_provisional: bool
    """It has not played enough: the rating is its predecessor's, with a wider interval."""
    is_quarantined: bool
    trend: float | None
    """The rating has risen by so much since yesterday; None where it had none."""
    changed_at: datetime
    """When its version was handed in."""

    @property
    def elo(self) -> float | None:
        return None if self.rating is None else self.rating.elo


class LadderTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a ladder."""

    mark: Hashable
    """Another one, another table."""
    standings: list[Standing]
    matches: int


class LadderTables:
    """The tables of all ladders. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._kept = OrderedDict[tuple[str, datetime | None], LadderTable]()

    def table(self, ladder: Ladder, until: datetime | None) -> LadderTable:
        """Return how a ladder stands, or how it stood at a time."""
        key = ladder.id, until
        with self._database.reading() as connection:
            mark = _mark(connection, ladder, until)
            with self._lock:
                found = self._kept.get(key)
            if found is None or found.mark != mark:
                found = _table(connection, ladder, until, mark)
        with self._lock:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found


def _mark(connection: Connection, ladder: Ladder, until: datetime | None) -> Hashable:
    """Return what changes with a table: its ratings, its bots, or their authors."""
    rated = select(func.max(published.c.at)).where(published.c.ladder == ladder.id)
    entered = (
        select(
            versions.c.state,
            entries.c.state,
            people.c.is_banned,
            func.count(),
            func.max(entries.c.changed_at),
            func.max(versions.c.handed_in_at),
        )
        .select_from(_entered())
        .where(entries.c.ladder == ladder.id)
        .group_by(versions.c.state, entries.c.state, people.c.is_banned)
    )
    at = connection.execute(rated if until is None else rated.where(published.c.at <= until))
    return at.scalar(), tuple(tuple(row) for row in connection.execute(entered)), now().date()


def _table(
    connection: Connection, ladder: Ladder, until: datetime | None, mark: Hashable
) -> LadderTable:
    ratings = latest(connection, ladder.id, until)
    before = latest(connection, ladder.id, (until or now()) - TREND)
    played = _played(connection, ladder.id, until)
    known: dict[str, tuple[Published, bool]] = {}
    """The rating of each bot so far, and whether that is of its newest version."""
    yesterday: dict[str, Published] = {}
    newest: dict[str, Standing] = {}
    playing = set[str]()
    for row in connection.execute(_listed(ladder.id, until)):
        if row.state in SHOWN:
            playing.add(row.id)
        if row.id in before:
            yesterday[row.bot] = before[row.id]
        games, sets = played.get(row.id, (0, 0))
        is_provisional = sets < PLACEMENT_SETS
        own = ratings.get(row.id)
        if own is not None and not (is_provisional and row.bot in known):
            known[row.bot] = own, True
        elif row.bot in known:
            known[row.bot] = known[row.bot][0], False
        newest[row.bot] = Standing(
            rank=None,
            bot=row.bot,
            name=row.name,
            author=row.author,
            person=row.person,
            version=row.id,
            number=row.number,
            games=games,
            rating=None,
            is_provisional=is_provisional,
            is_quarantined=row.state == VersionState.QUARANTINED and until is None,
            trend=None,
            changed_at=aware(row.handed_in_at),
        )
    if until is None:
        newest = {bot: one for bot, one in newest.items() if one.version in playing}
    standings = [_rated(one, known.get(one.bot), yesterday.get(one.bot)) for one in newest.values()]
    counted = select(func.count()).where(
        fixtures.c.ladder == ladder.id, fixtures.c.result.is_not(None), played_before(until)
    )
    return LadderTable(
        mark=mark, standings=_ranked(standings), matches=connection.execute(counted).scalar_one()
    )


def _rated(
    one: Standing, known: tuple[Published, bool] | None, yesterday: Published | None
) -> Standing:
    if known is None or known[0].elo is None:
        return one
    rating = known[0] if known[1] else known[0].widened()
    assert rating.elo is not None
    former = None if yesterday is None else yesterday.elo
    trend = None if former is None else rating.elo - former
    return msgspec.structs.replace(one, rating=rating, trend=trend)


def _ranked(standings: list[Standing]) -> list[Standing]:
    def key(one: Standing) -> tuple[bool, float, str]:
        return one.elo is None, -(one.elo or 0.0), one.name.casefold()

    return [
        one if one.rating is None else msgspec.structs.replace(one, rank=rank)
        for rank, one in enumerate(sorted(standings, key=key), 1)
    ]


def _played(
    connection: Connection, ladder_id: str, until: datetime | None
) -> Mapping[str, tuple[int, int]]:
    """Return in how many matches and sets that count each version has played."""
    query = (
        select(players.c.version, func.count(), func.count(fixtures.c.set_number.distinct()))
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .where(
            fixtures.c.ladder == ladder_id,
            fixtures.c.result.is_not(None),
            fixtures.c.is_void.is_(False),
            played_before(until),
        )
        .group_by(players.c.version)
    )
    return {version: (games, sets) for version, games, sets in connection.execute(query)}


def _entered() -> FromClause:
    return (
        entries.join(bots, bots.c.id == entries.c.bot)
        .join(versions, versions.c.bot == bots.c.id)
        .join(people, people.c.id == bots.c.person)
    )


def _listed(ladder_id: str, until: datetime | None) -> Select[Any]:
    """Return the query of the versions of bots that are listed; the one that plays comes last."""
    query = (
        select(
            versions.c.id,
            versions.c.bot,
            versions.c.number,
            versions.c.state,
            versions.c.handed_in_at,
            bots.c.name,
            bots.c.person,
            people.c.name.label("author"),
        )
        .select_from(_entered())
        .where(
            entries.c.ladder == ladder_id,
            entries.c.state == EntryState.PLAYING,
            versions.c.state.in_((*SHOWN, VersionState.FORMER)),
            people.c.is_banned.is_(False),
        )
    )
    if until is not None:
        query = query.where(entries.c.entered_at < until, versions.c.handed_in_at < until)
        return query.order_by(versions.c.number)
    return query.order_by(versions.c.state.in_(SHOWN), versions.c.number)
