"""Tables of any database: the baseline and what follows it, and what is older."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select, update

import bootstrap
from engine.errors import UsageError
from runners.contests.ladder_fixtures import LadderFixtures
from runners.contests.ladders import Ladders
from runners.storage import schema
from runners.storage.database import RESULTS_USE, Database, Stale, now
from runners.storage.ladder_tables import versions
from runners.storage.store import open_store
from runners.storage.tables import about, tables
from tests.runners.results import a_match_result
from tests.server.contests.field import bots_in, enter_all, ladder_in, play_set
from tests.storage import describe_tables

AMONG_CONTESTS = schema.BASELINE + 1 + schema.MIGRATION_STEPS.index("one_table_of_contests")
"""The revision since which ladders stand among the contests."""


def of_baseline(url: str) -> str:
    """Make a database with the tables of the baseline and a result in it; return its key."""
    with closing(open_store(url)) as store:
        key = store.add(a_match_result()).key
    with closing(Database(url, RESULTS_USE)) as database, database.transaction() as connection:
        schema.downgrade(connection, schema.BASELINE)
    return key


def contents(url: str) -> dict[str, list[Any]]:
    with closing(Database(url, RESULTS_USE)) as database, database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {name}")]
            for name in inspect(connection).get_table_names()
        }


def change(url: str, *statements: str) -> None:
    with closing(Database(url, RESULTS_USE)) as database, database.transaction() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def execute(connection: Connection, table: str, *values: object) -> None:
    """Insert a row into a table that only older versions have."""
    marks = ", ".join(["?"] * len(values))
    connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({marks})", values)


def test_the_baseline_is_upgraded_to_the_tables_of_new_databases_and_keeps_its_rows(
    url: str,
) -> None:
    open_store(url).close()
    with closing(Database(url, RESULTS_USE)) as database, database.reading() as connection:
        new = describe_tables(connection)
    key = of_baseline(url)
    assert {"copies", "fingerprints"} <= contents(url).keys()
    with closing(open_store(url)) as store:
        assert list(store.load_results([key])) == [key]
    with closing(Database(url, RESULTS_USE)) as database, database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, tables) == []
        assert describe_tables(connection) == new
        assert connection.execute(select(about.c.revision)).scalar_one() == schema.REVISION


def test_ladders_stand_among_the_contests_and_go_on_after_steps_back_and_forth(url: str) -> None:
    with closing(open_store(url)) as store:
        database = store.database
        season = ladder_in(database, ends_at=now(), concluded_at=now(), only_group="class")
        ladder = ladder_in(database)
        enter_all(database, ladder, bots_in(database, "ann", "bob"))
        play_set(database, ladder)
        store.save_tournament("cup", '{"format":"swiss"}', {}, kind="swiss", new_of=ladder.id)
    before = contents(url)
    with closing(Database(url, RESULTS_USE)) as database, database.transaction() as connection:
        schema.downgrade(connection, AMONG_CONTESTS - 1)
    older = contents(url)
    assert {row[0] for row in older["ladders"]} == {season.id, ladder.id}
    assert [row[0] for row in older["contests"]] == ["cup"]
    with closing(open_store(url)) as store:
        assert {key: sorted(rows, key=str) for key, rows in contents(url).items()} == {
            key: sorted(rows, key=str) for key, rows in before.items()
        }
        assert Ladders(store.database).all() == [season, ladder]
        field = LadderFixtures(store.database)
        assert field.add_set(ladder, field.find_contenders(ladder.id), 2)
        with pytest.raises(Stale), store.database.transaction() as connection:
            connection.execute(update(versions).values(ladder="nowhere"))


OLDER = {
    "a revision before the baseline": ("UPDATE about SET revision = 22",),
    "one that was killed before it had a revision": ("DELETE FROM about",),
    "results alone": (
        "DROP TABLE about",
        "CREATE TABLE alembic_version (version_num VARCHAR(32))",
        "INSERT INTO alembic_version VALUES ('0002')",
    ),
}


@pytest.mark.parametrize("statements", OLDER.values(), ids=OLDER)
def test_older_ones_are_refused_with_what_upgrades_them_and_lose_nothing(
    url: str, statements: tuple[str, ...]
) -> None:
    of_baseline(url)
    change(url, *statements)
    before = contents(url)
    with pytest.raises(UsageError, match=r"older than revision 23\), and nothing was changed"):
        open_store(url)
    assert contents(url) == before


def test_without_alembic_an_older_database_is_refused_with_a_remedy(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_baseline(url)
    monkeypatch.setitem(sys.modules, "alembic.migration", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[postgres\]'"):
        open_store(url)


def test_a_file_of_results_needs_no_optional_package(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update(alembic=None, psycopg=None, distributed=None)\n"
        "from runners.storage.store import open_store\n"
        f"print(open_store('sqlite:///{tmp_path / 'some.sqlite'}').count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=bootstrap.HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
