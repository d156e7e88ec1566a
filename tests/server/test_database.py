"""What a server's database promises, whatever is kept in it."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal, select

from engine.errors import EngineFailure, UsageError
from runners.storage import database as databases
from runners.storage.database import MAX_CONNECTIONS, Database, DatabaseBusy, limit_wait
from runners.storage.shared_reading import MAX_SHARED, shared_reading
from runners.storage.together import Lookup, only_value


def connections_in_use(database: Database) -> int:
    pool: Any = database._writer.pool
    return int(pool.checkedout())


def test_what_was_acknowledged_survives_a_power_cut_and_refers_to_what_is_there(path: Path) -> None:
    """These are sqlite3's words for it: 2 is FULL."""
    with closing(Database(path)) as database, database.transaction() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("synchronous", "foreign_keys", "journal_mode")
        }
    assert found == {"synchronous": 2, "foreign_keys": 1, "journal_mode": "wal"}


def test_a_writer_waits_for_the_one_before_it_reads_anything(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had read by then would be stale when it writes."""
    monkeypatch.setattr(databases, "BUSY_S", 0.05)
    has_begun = False
    with closing(Database(path)) as first, closing(Database(path)) as second:
        locked = pytest.raises(EngineFailure, match=r"cannot be written: .* locked")
        with first.transaction(), locked, second.transaction():
            has_begun = True
        assert not has_begun
        with second.transaction(), first.reading():
            has_begun = True
    assert has_begun


def test_what_is_read_while_writing_is_read_by_the_same_connection(path: Path) -> None:
    with closing(Database(path)) as database:
        with database.transaction() as writer, database.with_write_check(print).reading() as reader:
            assert reader is writer
        with database.reading() as reader:
            assert reader is not writer


def test_a_block_that_writes_cannot_wait_for_itself(path: Path) -> None:
    with closing(Database(path)) as database:
        itself = pytest.raises(RuntimeError, match="wait for itself")
        with database.transaction(), itself, database.with_write_check(print).transaction():
            pass
        with database.transaction():
            pass


def test_who_waits_to_write_holds_no_connection(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_S", 0.05)

    def write(number: int) -> None:
        with pytest.raises(DatabaseBusy, match="others have been writing"), database.transaction():
            pass

    with (
        closing(Database(path)) as database,
        ThreadPoolExecutor(MAX_CONNECTIONS) as threads,
        database.transaction(),
    ):
        list(threads.map(write, range(MAX_CONNECTIONS)))
        assert connections_in_use(database) == 1


def test_what_has_begun_to_write_waits_as_long_as_it_takes_to_go_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_S", 0.05)
    with closing(Database(path)) as database, limit_wait(0.01):
        for limit_ms in (10, 50):
            with database.transaction() as connection:
                limit = connection.exec_driver_sql("PRAGMA busy_timeout")
                assert limit.scalar() == limit_ms


def test_requests_that_keep_connections_leave_some_for_others(path: Path) -> None:
    """Each keeps one from its first page of the database to its answer, whatever it waits for."""
    with closing(Database(path)) as database:
        requests = []
        for _ in range(MAX_CONNECTIONS * 2):
            with shared_reading() as request:
                requests.append(request)
                assert database.find(Lookup(select(literal(7)), only_value)) == 7
        assert connections_in_use(database) == MAX_SHARED
        for request in requests:
            request.end()
        assert connections_in_use(database) == 0


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_of_which_nothing_stays_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="--database: sqlite cannot be used"):
        Database(url)


def test_no_password_is_shown_wherever_it_stands_in_a_url() -> None:
    url = "postgresql+psycopg://ann:s3cret@localhost/games?sslpassword=s3cret&sslmode=require"
    with closing(Database(url)) as database:
        assert database.name == "postgresql+psycopg://ann@localhost/games?sslmode=require"
