"""Queries that are sent together are answered as each alone, and waited for once."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.exc import DBAPIError

from engine.errors import EngineFailure
from runners.storage.database import Database
from runners.storage.storable import BadValue
from runners.storage.together import Lookup, read_together
from tests.counting_proxy import counting
from tests.postgresql import PostgreSQL

BOTS = Table(
    "bots",
    MetaData(),
    Column("number", Integer, primary_key=True),
    Column("name", String(20), nullable=False),
    Column("is_open", Boolean),
    Column("made_at", DateTime(timezone=True)),
    Column("settings", JSON),
)
OTHERS = BOTS.alias()
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
ROWS = [
    {"number": 1, "name": "walker", "is_open": True, "made_at": NOON, "settings": {"speed": [1]}},
    {"number": 2, "name": "runner", "is_open": None, "made_at": None, "settings": None},
]


def open_database(where: Path | str) -> Database:
    database = Database(where)
    with database.transaction() as connection:
        BOTS.metadata.create_all(connection)
        connection.execute(insert(BOTS), ROWS)
    return database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Yield a database of each kind, with two bots."""
    is_file = request.param == "sqlite"
    where = tmp_path / "bots.sqlite" if is_file else request.getfixturevalue("postgresql").new_url()
    with closing(open_database(where)) as database:
        yield database


QUERIES: list[Select[Any]] = [
    select(BOTS).order_by(BOTS.c.number.desc()),
    select(BOTS.c.name).where(BOTS.c.number.in_([1, 2, 3])).order_by(BOTS.c.name),
    select(BOTS.c.name).where(BOTS.c.number.in_([])),
    select(func.count(), func.max(BOTS.c.made_at), BOTS.c.is_open.label("open"), BOTS.c.number)
    .group_by(BOTS.c.is_open, BOTS.c.number)
    .order_by(BOTS.c.number),
    select(BOTS.c.name, OTHERS.c.name).join(OTHERS, OTHERS.c.number == BOTS.c.number + 1),
    select(BOTS).where(BOTS.c.name == "100 %"),
    select(
        func.sum(BOTS.c.number),
        func.avg(BOTS.c.number),
        func.sum(BOTS.c.number / 2.0).label("half"),
    ),
]


def test_queries_are_answered_in_order_and_as_each_alone(database: Database) -> None:
    with database.reading() as connection:
        together = read_together(connection, *QUERIES)
        alone = [connection.execute(query).all() for query in QUERIES]
    assert together == alone
    assert [[row._asdict() for row in rows] for rows in together] == [
        [row._asdict() for row in rows] for rows in alone
    ]
    assert together[0][1].settings == {"speed": [1]}
    assert together[0][1].is_open is True
    assert together[0][0].made_at is None


def test_a_lookup_says_what_is_made_of_its_rows(database: Database) -> None:
    names = Lookup(QUERIES[1], lambda rows: [row.name for row in rows])
    count = Lookup(select(func.count()).select_from(BOTS), lambda rows: rows[0][0])
    assert database.read(names, count) == [["runner", "walker"], 2]
    assert database.read() == []


def test_a_query_that_fails_is_a_failure_of_the_database_which_is_read_on(
    database: Database,
) -> None:
    missing = select(Table("missing", MetaData(), Column("number", Integer)))
    with pytest.raises(EngineFailure, match="missing"), database.reading() as connection:
        read_together(connection, QUERIES[0], missing, QUERIES[1])
    with database.reading() as connection:
        assert len(read_together(connection, QUERIES[0], QUERIES[1])[1]) == 2


def test_what_no_database_keeps_is_refused(database: Database) -> None:
    with pytest.raises(BadValue, match="NUL"), database.reading() as connection:
        read_together(connection, QUERIES[0], select(BOTS).where(BOTS.c.name == "a\0b"))
    with pytest.raises(BadValue, match="surrogates"), database.reading() as connection:
        read_together(connection, QUERIES[0], select(BOTS).where(BOTS.c.name == "a\ud800"))
    with pytest.raises(BadValue, match="too large"), database.reading() as connection:
        read_together(connection, QUERIES[0], select(literal(1 << 64, Integer)))


def test_the_server_is_waited_for_once(postgresql: PostgreSQL) -> None:
    url = postgresql.new_url()
    open_database(url).close()
    with counting(postgresql.port) as proxy, closing(Database(proxy.url(url))) as database:
        for _ in range(7):  # the driver prepares what is sent often
            with database.reading() as connection:
                before = proxy.round_trips
                read_together(connection, *QUERIES)
                assert proxy.round_trips - before == 1


def end_sessions(postgresql: PostgreSQL, url: str) -> None:
    """End every session of a database, as a restart of its server does."""
    query = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(postgresql.plain_url, autocommit=True) as connection:
        connection.execute(query, [url.rpartition("/")[2]])


def test_connections_that_have_ended_in_the_pool_are_replaced(postgresql: PostgreSQL) -> None:
    url = postgresql.new_url()
    with closing(open_database(url)) as database:
        for _ in range(2):
            with database.reading(), database.reading(), database.reading():
                pass
            end_sessions(postgresql, url)
            with database.reading() as one, database.reading() as other:
                assert [len(read_together(each, *QUERIES)) for each in (one, other)] == [
                    len(QUERIES)
                ] * 2
            end_sessions(postgresql, url)
            with database.transaction() as connection:
                assert connection.execute(select(func.count()).select_from(BOTS)).scalar() == 2
            end_sessions(postgresql, url)
            assert next(database.listen("news", 0.01)) is None


def test_a_connection_that_ends_while_it_is_used_is_not_used_again(postgresql: PostgreSQL) -> None:
    url = postgresql.new_url()
    with closing(open_database(url)) as database:
        with database.reading() as connection:
            end_sessions(postgresql, url)
            with pytest.raises(DBAPIError, match="terminat"):
                read_together(connection, *QUERIES)
            assert connection.invalidated
        assert len(database.read(Lookup(QUERIES[0], list))[0]) == 2
