"""Databases that held results alone get the tables that all have, whole or not at all."""

import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, insert, inspect, select

import bootstrap
from engine.errors import UsageError
from runners.storage import schema
from runners.storage.database import RESULTS, Database
from runners.storage.migrations import sixth
from runners.storage.store import KeptResult, opened_store
from runners.storage.tables import about, matches, tables
from tests.runners.results import a_match_result
from tests.storage import described

AT = datetime(2026, 1, 1, tzinfo=UTC)


def a_result() -> KeptResult:
    return msgspec.convert(a_match_result(), KeptResult, from_attributes=True)


def old_database(url: str, revision: int = 2) -> None:
    """Make a database as the command line's first versions did, with something in each table."""
    with closing(Database(url, RESULTS)) as database, database.writing() as connection:
        for step in schema.RESULTS_STEPS[:revision]:
            schema._run(connection, step, "upgrade")
        schema.RESULTS_ABOUT.create(connection)
        connection.execute(insert(schema.RESULTS_ABOUT).values(version_num=f"{revision:04}"))
        result = a_result()
        row = {"key": result.key, "game": "slime_mind", "played_at": AT}
        connection.execute(
            insert(matches).values(**row, result=msgspec.json.encode(result).decode())
        )
        for words in ("the first time", "the second time"):
            execute(connection, "failures (key, words, failed_at)", "k", words, AT)
        execute(connection, "tournaments (name, plan, begun_at)", "spring", "the plan", AT)
        for number in (0, 1, -1):
            execute(connection, "entrants", "spring", number, f"entrant {number}")
        if revision > 1:
            execute(connection, "secrets (series, secret, drawn_at)", "ann - bob", "7", AT)


def execute(connection: Connection, table: str, *values: object) -> None:
    """Insert a row into a table that only older versions have."""
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    shown = tuple(
        str(value) if isinstance(value, datetime) and mark == "?" else value for value in values
    )
    marks = ", ".join([mark] * len(values))
    connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({marks})", shown)


@pytest.mark.parametrize("revision", [1, 2])
def test_an_older_database_keeps_all_that_is_in_it(url: str, revision: int) -> None:
    old_database(url, revision)
    with closing(opened_store(url)) as store:
        result = a_result()
        assert store.results([result.key]) == {result.key: result}
        assert store.failures(["k"]) == {"k": ["the first time", "the second time"]}
        assert store.tournament_names() == ["spring"]
        assert store.plan("spring") == "the plan"
        assert store.entrants("spring") == ["entrant -1", "entrant 0", "entrant 1"]
        assert store.kept_secret("ann - bob", 8) == (7 if revision > 1 else 8)
        store.add_failure("k", "the third time")
        assert len(store.failures(["k"])["k"]) == 3


def test_its_tables_are_those_of_new_databases(url: str) -> None:
    old_database(url)
    opened_store(url).close()
    with closing(Database(url, RESULTS)) as database, database.reading() as connection:
        joined = described(connection)
        del joined[schema.RESULTS_ABOUT.name]
        assert connection.execute(select(about.c.revision)).scalar_one() == schema.REVISION
    with closing(Database(url, RESULTS)) as database, database.writing() as connection:
        drop_all(connection)
    opened_store(url).close()
    with closing(Database(url, RESULTS)) as database, database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, tables) == []
        assert described(connection) == joined


def drop_all(connection: Connection) -> None:
    tables.drop_all(connection)
    schema.RESULTS_ABOUT.drop(connection)


def test_a_step_that_fails_leaves_it_as_it_was(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        upgrade()
        raise OSError("the disk is full")

    upgrade = sixth.upgrade
    old_database(url)
    before = contents(url)
    monkeypatch.setattr(sixth, "upgrade", fail)
    with pytest.raises(OSError, match="the disk is full"):
        opened_store(url)
    assert contents(url) == before


def contents(url: str) -> dict[str, list[Any]]:
    with closing(Database(url, RESULTS)) as database, database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {name}")]
            for name in inspect(connection).get_table_names()
        }


def test_the_versions_that_made_it_refuse_it_then(url: str) -> None:
    """They look for a greater number than theirs in a table of alembic's."""
    old_database(url)
    opened_store(url).close()
    assert contents(url)[schema.RESULTS_ABOUT.name] == [(f"{schema.JOINED:04}",)]


def test_one_of_a_newer_version_is_refused(url: str) -> None:
    old_database(url)
    with closing(Database(url, RESULTS)) as database, database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UsageError, match=f"newer version .*9999, these of {schema.REVISION}"):
        opened_store(url)


def test_without_alembic_an_older_database_is_refused_with_a_remedy(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_database(url)
    monkeypatch.setitem(sys.modules, "alembic.migration", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[postgres\]'"):
        opened_store(url)


def test_a_file_of_results_needs_no_optional_package(tmp_path: Any) -> None:
    program = (
        "import sys; sys.modules.update(alembic=None, psycopg=None, distributed=None)\n"
        "from runners.storage.store import opened_store\n"
        f"print(opened_store('sqlite:///{tmp_path / 'some.sqlite'}').count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=bootstrap.HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
