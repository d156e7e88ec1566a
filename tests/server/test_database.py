"""What a server's database promises, whatever is kept in it."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import EngineFailure, UsageError
from runners.storage import database as databases
from runners.storage.database import Database


def test_what_was_acknowledged_survives_a_power_cut_and_refers_to_what_is_there(path: Path) -> None:
    """These are sqlite3's words for it: 2 is FULL."""
    with closing(Database(path)) as database, database.writing() as connection:
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
        with first.writing(), locked, second.writing():
            has_begun = True
        assert not has_begun
        with second.writing(), first.reading():
            has_begun = True
    assert has_begun


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_of_which_nothing_stays_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="--database: sqlite cannot be used"):
        Database(url)


def test_no_password_is_shown_wherever_it_stands_in_a_url() -> None:
    url = "postgresql+psycopg://ann:s3cret@localhost/games?sslpassword=s3cret&sslmode=require"
    with closing(Database(url)) as database:
        assert database.name == "postgresql+psycopg://ann@localhost/games?sslmode=require"
