"""Matches of ladders in the database: those to be played, and what came of them.

What has no result is what is to be played. Whoever plays a match writes its result, and nobody
can a second time; so a kill anywhere loses nothing, and nothing counts twice.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update

from engine.catalog import find_publisher
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.spec import MatchSpec
from engine.streams import parse_seed, seed_text
from runners.contests.authors import author_ids, coauthor_ids, is_author
from runners.contests.contests import Ladder
from runners.contests.playing import MAX_TRIES
from runners.series import rotations
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
from runners.storage.store import StoredResult, insert_result
from runners.storage.tables import matches
from runners.storage.together import AnyRow, AnySelect

BREAKS = 3
"""Matches in a row in which a version broke, after which it plays no more."""
MAX_REASON_LENGTH = 2_000
NOT_PLAYING = "one of its bots plays no more"
SAME_AUTHOR = "its bots have an author in common now"


class Contender(msgspec.Struct, frozen=True, kw_only=True):
    """A version that plays on a ladder."""

    version: str
    number: int
    digest: str
    bot: str
    name: str
    authors: frozenset[str]
    """The ids of its owner and of those who share it."""

    @property
    def contestant(self) -> Contestant:
        """Return it as a record names it."""
        return Contestant(name=self.name, digest=self.digest, version=str(self.number))


class LadderFixture(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is to be played."""

    id: int
    public_id: str
    """What stands in addresses."""
    ladder: str
    set_number: int
    seats: tuple[str, ...]
    """The ids of versions, by seat."""
    seed: int
    key: str
    failures: int


class LadderFixtures:
    """The fixtures of a server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find_contenders(self, ladder_id: str) -> list[Contender]:
        """Return the versions that play on a ladder now."""
        query = _contender_query().where(entries.c.contest == ladder_id, IS_PLAYING)
        joined = entries.join(bots, bots.c.id == entries.c.bot).join(
            versions, versions.c.bot == bots.c.id
        )
        query = query.select_from(joined.join(people, people.c.id == bots.c.person))
        return [
            _contender_from_row(row) for row in self._database.fetch_all(query.order_by(bots.c.id))
        ]

    def find_seated_contenders(self, fixture: LadderFixture) -> list[Contender]:
        """Return who sits in a fixture, by seat, whether it still plays or not."""
        query = _contender_query().where(versions.c.id.in_(fixture.seats))
        query = query.select_from(versions.join(bots, bots.c.id == versions.c.bot))
        found = {row.id: _contender_from_row(row) for row in self._database.fetch_all(query)}
        return [found[version] for version in fixture.seats]

    def add_set(
        self, ladder: Ladder, seated: Sequence[Contender], seed: int
    ) -> list[LadderFixture]:
        """Add one match in every rotation of the seats, on one map. Raises: Stale."""
        at = now()
        by_version = {one.version: one for one in seated}
        with self._database.transaction() as connection:
            newest = select(func.max(fixtures.c.set_number)).where(fixtures.c.ladder == ladder.id)
            number = (connection.execute(newest).scalar() or 0) + 1
            made = []
            for place in rotations(tuple(range(len(seated))), number, seed):
                seats = tuple(seated[seat].version for seat in place.seats)
                key = match_spec(ladder, [by_version[one] for one in seats], seed).key
                made.append(_add(connection, ladder.id, number, seats, seed, key, at))
        return made

    def find_waiting(self, ladder_id: str) -> list[LadderFixture]:
        """Return the fixtures of a ladder that are to be played, the oldest first."""
        query = select(fixtures).where(*_open(ladder_id)).order_by(fixtures.c.id)
        return [_fixture_from_row(row) for row in self._database.fetch_all(query)]

    def has_pending_work(self, ladder_id: str, closed_at: datetime) -> bool:
        """Return whether a match of a ladder is to be played, or a version to be checked.

        Versions that were handed in before it closed are on their way to it.
        """
        open_ones = select(fixtures.c.id).where(*_open(ladder_id))
        on_their_way = (
            select(versions.c.id)
            .select_from(versions.outerjoin(entries, entries.c.bot == versions.c.bot))
            .where(
                versions.c.state == VersionState.CHECKING,
                versions.c.handed_in_at < closed_at,
                or_(versions.c.ladder == ladder_id, entries.c.contest == ladder_id),
            )
        )
        with self._database.reading() as connection:
            return any(
                connection.execute(query.limit(1)).first() is not None
                for query in (open_ones, on_their_way)
            )

    def drop_idle(self, ladder_id: str) -> set[int]:
        """Give up the fixtures of which some version plays no more; return their ids."""
        idle = (
            select(fixtures.c.id)
            .select_from(
                fixtures.join(players, players.c.fixture == fixtures.c.id)
                .join(versions, versions.c.id == players.c.version)
                .join(bots, bots.c.id == versions.c.bot)
                .join(people, people.c.id == bots.c.person)
                .outerjoin(
                    entries,
                    and_(entries.c.contest == fixtures.c.ladder, entries.c.bot == bots.c.id),
                )
            )
            .where(*_open(ladder_id), or_(entries.c.bot.is_(None), ~IS_PLAYING))
        )
        found = set(self._database.fetch_column(idle))
        if found:
            with self._database.transaction() as connection:
                _give_up(connection, found, NOT_PLAYING)
        return found

    def give_up(self, fixture: LadderFixture, why: str) -> None:
        """Play a fixture no more."""
        with self._database.transaction() as connection:
            _give_up(connection, [fixture.id], why)

    def save_result(self, fixture: LadderFixture, result: StoredResult, game: str) -> list[str]:
        """Keep the result of a match. Return the versions that broke too often in a row.

        They are in quarantine from now on. Raises: Stale if it was played or given up before.
        """
        with self._database.transaction() as connection:
            first = update(fixtures).where(
                fixtures.c.id == fixture.id,
                fixtures.c.played_at.is_(None),
            )
            if connection.execute(first.values(has_result=True, played_at=now())).rowcount != 1:
                raise Stale
            insert_result(self._database, connection, game, result)
            for seat, team in enumerate(result.teams):
                where = players.c.fixture == fixture.id, players.c.seat == seat
                values = {
                    "score": team.score,
                    "cpu_ms": team.cpu.total_ms,
                    "faults": sum(team.faults.values()),
                    "is_out": team.out is not None,
                }
                connection.execute(update(players).where(*where).values(values))
            return list(_quarantine_broken_versions(connection, fixture, result))

    def fail(self, fixture: LadderFixture, message: str) -> int:
        """Note that a match could not be played, for no bot's fault; it may be tried again.

        Return how often it could not, by now.
        """
        with self._database.transaction() as connection:
            still_open = fixtures.c.id == fixture.id, fixtures.c.played_at.is_(None)
            connection.execute(
                update(fixtures).where(*still_open).values(failures=fixtures.c.failures + 1)
            )
            tries = select(fixtures.c.failures).where(fixtures.c.id == fixture.id)
            failures = int(connection.execute(tries).scalar_one())
            if failures >= MAX_TRIES:
                _give_up(connection, [fixture.id], message)
        return failures


IS_PLAYING: ColumnElement[bool] = and_(
    entries.c.state == EntryState.PLAYING,
    versions.c.state == VersionState.ACTIVE,
    people.c.is_banned.is_(False),
    people.c.deleted_at.is_(None),
)
"""Whether a version of a bot with an entry plays."""

HAS_FAILED: ColumnElement[bool] = and_(
    fixtures.c.has_result.is_(False),
    fixtures.c.failures >= MAX_TRIES,
    fixtures.c.is_void.is_(False),
)
"""Whether a match was given up since it could not be played, and not since a version plays no more:
that happens to those that wait whenever somebody hands in a new one."""


WITH_RESULTS = fixtures.outerjoin(
    matches, and_(fixtures.c.has_result, matches.c.key == fixtures.c.key)
)
"""Fixtures, with the results of those that were played."""


def match_spec(ladder: Ladder, seated: Iterable[Contender], seed: int) -> MatchSpec:
    """Return what a match of a ladder is played with."""
    digests = tuple(one.digest for one in seated)
    publisher = find_publisher(ladder.spec.game)
    return msgspec.structs.replace(ladder.spec, bots=digests, seed=seed, publisher=publisher)


def match_job(
    ladder: Ladder, fixture: LadderFixture, seated: Sequence[Contender], play: PlayOptions
) -> Job:
    """Return the match to play; one that was filed before is not played again."""
    return Job(
        spec=match_spec(ladder, seated, fixture.seed),
        contestants=tuple(one.contestant for one in seated),
        # Pages show every match, whatever a configuration says of replays.
        play=msgspec.structs.replace(play.for_rated_match, keep_replay=True),
        once=True,
    )


def drop_meetings(connection: Connection, bot_id: str, person_id: str) -> None:
    """Give up the matches yet to be played in which a bot meets others that somebody has written.

    They are all of one author from now on.
    """
    own, other = players.alias(), players.alias()
    own_version, other_version = versions.alias(), versions.alias()
    shared = select(bots.c.id).where(is_author(person_id), bots.c.id != bot_id)
    query = (
        select(fixtures.c.id)
        .distinct()
        .join(own, own.c.fixture == fixtures.c.id)
        .join(own_version, own_version.c.id == own.c.version)
        .join(other, other.c.fixture == fixtures.c.id)
        .join(other_version, other_version.c.id == other.c.version)
        .where(
            fixtures.c.played_at.is_(None),
            own_version.c.bot == bot_id,
            other_version.c.bot.in_(shared),
        )
    )
    found = set(connection.execute(query).scalars())
    if found:
        _give_up(connection, found, SAME_AUTHOR)


def _contender_query() -> AnySelect:
    return select(
        versions.c.id,
        versions.c.number,
        versions.c.digest,
        versions.c.bot,
        bots.c.name,
        bots.c.person,
        coauthor_ids(),
    )


def _contender_from_row(row: AnyRow) -> Contender:
    return struct_from_row(Contender, row, version=row.id, authors=author_ids(row))


def _add(
    connection: Connection,
    ladder_id: str,
    number: int,
    seats: tuple[str, ...],
    seed: int,
    key: str,
    at: datetime,
) -> LadderFixture:
    public_id = secrets.token_hex(6)
    row = {
        "public_id": public_id,
        "ladder": ladder_id,
        "set_number": number,
        "seats": msgspec.json.encode(seats).decode(),
        "seed": seed_text(seed),
        "key": key,
        "created_at": at,
    }
    made = connection.execute(insert(fixtures).values(row)).inserted_primary_key
    assert made is not None
    connection.execute(
        insert(players),
        [
            {"fixture": made[0], "seat": seat, "version": version}
            for seat, version in enumerate(seats)
        ],
    )
    return LadderFixture(
        id=made[0],
        public_id=public_id,
        ladder=ladder_id,
        set_number=number,
        seats=seats,
        seed=seed,
        key=key,
        failures=0,
    )


def _fixture_from_row(row: AnyRow) -> LadderFixture:
    seats = msgspec.json.decode(row.seats, type=tuple[str, ...])
    return struct_from_row(LadderFixture, row, seats=seats, seed=parse_seed(row.seed))


def _open(ladder_id: str) -> tuple[ColumnElement[bool], ...]:
    return (
        fixtures.c.ladder == ladder_id,
        fixtures.c.played_at.is_(None),
        fixtures.c.is_void.is_(False),
    )


def _give_up(connection: Connection, ids: Iterable[int], why: str) -> None:
    given_up = update(fixtures).where(fixtures.c.id.in_(ids), fixtures.c.played_at.is_(None))
    connection.execute(given_up.values(why=why[:MAX_REASON_LENGTH], played_at=now()))


def _quarantine_broken_versions(
    connection: Connection, fixture: LadderFixture, result: StoredResult
) -> Iterator[str]:
    """Yield the versions that have broken too often in a row, put into quarantine."""
    for version, team in zip(fixture.seats, result.teams, strict=True):
        if team.out is not None and _has_broken_often(connection, version):
            why = f"it broke in {BREAKS} matches in a row; the last one: {team.out}"
            active = versions.c.id == version, versions.c.state == VersionState.ACTIVE
            values = {"state": VersionState.QUARANTINED, "why": why[:MAX_REASON_LENGTH]}
            if connection.execute(update(versions).where(*active).values(values)).rowcount == 1:
                yield version


def _has_broken_often(connection: Connection, version: str) -> bool:
    query = (
        select(players.c.is_out)
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .where(players.c.version == version, fixtures.c.has_result)
        .order_by(fixtures.c.played_at.desc(), fixtures.c.id.desc())
        .limit(BREAKS)
    )
    latest = list(connection.execute(query).scalars())
    return len(latest) == BREAKS and all(latest)
