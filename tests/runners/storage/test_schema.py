"""Versions of the tables: a database of an older one is brought up to date, whole or not at all."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect

import bootstrap
from engine.errors import UsageError
from runners.storage import schema
from runners.storage.store import Store
from tests.runners.results import a_match_result

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

def upgrade() -> None:
    op.add_column("failures", sa.Column("host", sa.Text))
    op.create_table("hosts", sa.Column("name", sa.Text))
    {}
"""


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    engine = create_engine(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The step to the tables of a version yet to come, once it is called for."""
    folder = tmp_path / "100%" / "migrations"
    (folder / "versions").mkdir(parents=True)
    for name in ("env.py", "versions/first.py", "versions/second.py"):
        (folder / name).write_bytes((schema.MIGRATIONS / name).read_bytes())
    monkeypatch.setattr(schema, "MIGRATIONS", folder)
    return folder / "versions" / "next.py"


def test_the_steps_lead_to_the_tables_that_new_databases_get(url: str) -> None:
    Store(url).close()
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, schema.tables) == []
        made = described(connection)
        for table in inspect(connection).get_table_names():
            connection.exec_driver_sql(f"DROP TABLE {table} CASCADE".removesuffix(cascade(url)))
        connection.commit()
        config = Config()
        config.set_main_option("script_location", str(schema.MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        assert described(connection) == made


def cascade(url: str) -> str:
    """SQLite knows no such word."""
    return " CASCADE" if url.startswith("sqlite") else ""


def described(connection: Connection) -> dict[str, str]:
    """Columns, keys and indexes of all tables, as the database tells them."""
    seen = inspect(connection)
    return {
        table: str(
            (
                [{**column, "type": str(column["type"])} for column in seen.get_columns(table)],
                seen.get_pk_constraint(table)["constrained_columns"],
                seen.get_foreign_keys(table),
                seen.get_indexes(table),
            )
        )
        for table in seen.get_table_names()
    }


def test_the_last_step_leads_to_the_present_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION


def test_an_older_database_is_brought_up_to_date_with_all_that_is_in_it(
    url: str, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(url)) as store:
        kept = store.add(a_match_result())
    next_version.write_text(NEXT.format(""))
    monkeypatch.setattr(schema, "REVISION", "0003")
    with closing(Store(url)) as store:
        assert store.results([kept.key]) == {kept.key: kept}
    with connected(url) as connection:
        assert inspect(connection).has_table("hosts")
        assert schema.is_current(connection)


def test_a_database_without_secrets_gets_them_and_keeps_its_results(url: str) -> None:
    with closing(Store(url)) as store:
        store.add(a_match_result())
    with connected(url) as connection:
        connection.exec_driver_sql("DROP TABLE secrets")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
        connection.commit()
    with closing(Store(url)) as store:
        assert store.count() == 1
        assert store.kept_secret("series", 2**128 - 1) == 2**128 - 1


def test_a_step_that_fails_leaves_the_older_database_as_it_was(
    url: str, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(url).close()
    next_version.write_text(NEXT.format("raise OSError('the disk is full')"))
    monkeypatch.setattr(schema, "REVISION", "0003")
    with pytest.raises(OSError, match="the disk is full"):
        Store(url)
    with connected(url) as connection:
        assert not inspect(connection).has_table("hosts")
    monkeypatch.setattr(schema, "REVISION", "0002")
    Store(url).close()


def test_without_alembic_an_older_database_is_refused_with_a_remedy(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(url).close()
    monkeypatch.setattr(schema, "REVISION", "0003")
    monkeypatch.setitem(sys.modules, "alembic", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[postgres\]'"):
        Store(url)


def test_a_file_of_results_needs_no_optional_package(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update(alembic=None, psycopg=None, distributed=None)\n"
        "from runners.storage.store import Store\n"
        f"print(Store('sqlite:///{tmp_path / 'some.sqlite'}').count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=bootstrap.HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
