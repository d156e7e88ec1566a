"""Revisions of the tables: an older database is upgraded, whole or not at all."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select

from engine.errors import EngineFailure, UsageError
from runners.contests.contests import SavedTournament, TournamentChoices, contest_of_id
from runners.contests.ladders import Ladders
from runners.storage import migrations, schema
from runners.storage.database import Database, now
from runners.storage.ladder_tables import FieldRule, bots
from runners.storage.migrations import without_copies
from runners.storage.tables import about, tables
from server.contests.contest_entries import entered_bots
from server.games.game_storage import GameStorage
from tests.golden.databases.packing import unpack
from tests.runners.storage.test_schema import execute
from tests.server.contests.field import bot_in, enter_all, ladder_in, person_in
from tests.storage import describe_tables

REMEDY = (
    f"change runners/storage/migrations/{schema.MIGRATION_STEPS[-1]}.py as you changed the tables "
    "(a released step: add one)"
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path / "games.sqlite")) as database:
        yield database


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    """Return the path of a server's database as a version wrote it whose tables are the baseline's.

    Nothing was written into the tables that have left since.
    """
    unpack("server_23", tmp_path / "served")
    return tmp_path / "served" / "games.sqlite"


def test_the_steps_lead_to_the_tables_that_new_databases_get(
    baseline: Path, tmp_path: Path
) -> None:
    described_at = []
    for path in (baseline, tmp_path / "new.sqlite"):
        with closing(GameStorage(path)) as storage, storage.database.reading() as connection:
            context = MigrationContext.configure(connection, opts={"compare_server_default": True})
            assert compare_metadata(context, tables) == [], REMEDY
            described_at.append(describe_tables(connection))
    assert described_at[0] == described_at[1], REMEDY


def read_revision(path: Path) -> int:
    with closing(Database(path)) as database, database.reading() as connection:
        return int(connection.execute(select(about.c.revision)).scalar_one())


def test_a_step_that_fails_leaves_the_older_database_as_it_was(
    baseline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        step()
        raise OSError("the disk is full")

    step = without_copies.upgrade
    monkeypatch.setattr(without_copies, "upgrade", fail)
    with pytest.raises(OSError, match="the disk is full"):
        GameStorage(baseline)
    with closing(Database(baseline)) as database, database.reading() as connection:
        assert inspect(connection).has_table("copies")
    assert read_revision(baseline) == schema.BASELINE


def test_an_upgrade_keeps_a_copy_beside_the_database_and_says_so_once(
    baseline: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copy = baseline.with_name(f"games.before_revision_{schema.REVISION}.sqlite")
    GameStorage(baseline).close()
    assert (read_revision(copy), read_revision(baseline)) == (schema.BASELINE, schema.REVISION)
    assert copy.stat().st_mode & 0o777 == 0o600
    (line,) = caplog.messages
    assert str(copy) in line
    GameStorage(baseline).close()
    assert caplog.messages == [line]


def test_a_disk_that_is_full_in_an_upgrade_is_named_with_what_to_do(
    baseline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill() -> None:
        op.execute("PRAGMA max_page_count=1")  # as many as there are: no page is given any more
        op.execute("CREATE TABLE more (words TEXT)")

    monkeypatch.setattr(without_copies, "upgrade", fill)
    with pytest.raises(
        EngineFailure, match=r"the disk is full, and nothing was changed: make room"
    ):
        GameStorage(baseline)
    assert read_revision(baseline) == schema.BASELINE


def test_copies_that_were_noticed_leave_and_their_bots_stay(database: Database) -> None:
    schema.ensure_schema(database)
    ann, bob = (bot_in(database, person_in(database, name), name) for name in ("Ann", "Bob"))
    with database.transaction() as connection:
        schema.downgrade(connection, schema.BASELINE)
        execute(connection, "fingerprints", ann.version, "player.py", "likeness", "exact")
        sides = ("likeness", bob.version, "player.py", ann.version, "player.py")
        execute(connection, "copies", 1, bob.id, ann.id, *sides, True, now(), None)
    schema.ensure_schema(database)
    with database.reading() as connection:
        assert not {"fingerprints", "copies"} & {*inspect(connection).get_table_names()}
        assert {*connection.execute(select(bots.c.name)).scalars()} == {"Ann", "Bob"}


def test_a_database_of_a_newer_version_is_refused(baseline: Path) -> None:
    with closing(Database(baseline)) as database, database.transaction() as connection:
        connection.execute(about.update().values(revision=schema.REVISION + 1))
    with pytest.raises(UsageError, match=f"newer version .*revision {schema.REVISION + 1}"):
        GameStorage(baseline)


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(Database(path)) as database, database.transaction() as connection:
        connection.exec_driver_sql("CREATE TABLE matches (key TEXT)")
    with pytest.raises(UsageError, match="something else than results and games"):
        GameStorage(path)
    with closing(Database(path)) as database, database.reading() as connection:
        assert inspect(connection).get_table_names() == ["matches"]


def test_every_step_stands_in_the_list() -> None:
    folder = Path(migrations.__path__[0])
    assert {file.stem for file in folder.glob("*.py")} == {"__init__", *schema.MIGRATION_STEPS}


def test_announced_tournaments_and_their_entries_are_upgraded_as_they_stood(
    database: Database,
) -> None:
    schema.ensure_schema(database)
    ladder = ladder_in(database)
    ann = bot_in(database, person_in(database, "Ann"), "Ann")
    enter_all(database, ladder, [ann])
    at = now().replace(microsecond=0)
    choices = '{"format":"round_robin","games":1,"rounds":null,"table":2}'
    with database.transaction() as connection:
        schema.downgrade(connection, schema.BASELINE + 1)
        for name, settled in (("later", None), ("begun", at)):
            row = (name, ladder.id, "words", choices, "entered", at, at, True, settled, "", at)
            execute(connection, "scheduled_tournaments", *row)
        execute(connection, "tournament_entries", "later", ann.id, at)
        values = ("begun", "{}", at, ladder.id, False, 0, 0)
        execute(connection, "contests", *values)
    schema.ensure_schema(database)
    found = database.read(contest_of_id("later"), contest_of_id("begun"))
    later, begun = (one.tournament for one in found)
    assert later == SavedTournament(
        name="later",
        ladder=ladder.id,
        created_at=at,
        words="words",
        choices=TournamentChoices(format="round_robin", games=1, rounds=None, table=2),
        field=FieldRule.ENTERED,
        entries_until=at,
        begins_at=at,
        is_sealed=True,
    )
    assert (begun.is_begun, begun.settled_at, begun.words) == (True, at, "words")
    assert [one.name for one in database.find(entered_bots("later"))] == ["Ann"]
    assert [one.bot for one in Ladders(database).entries(ladder.id)] == [ann.id]
