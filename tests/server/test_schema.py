"""Revisions of the tables: an older database is upgraded, whole or not at all."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, inspect, select

from engine.errors import EngineFailure, UsageError
from runners.storage import migrations, schema
from runners.storage.database import Database, now
from runners.storage.game_tables import games
from runners.storage.game_tables import people as people_table
from runners.storage.ladder_tables import bots
from runners.storage.migrations import second
from runners.storage.name_keys import name_key
from runners.storage.tables import about, tables
from server.games.game_storage import GameStorage
from server.games.open_games import OpenGames
from server.identity.people import Kind, People
from tests.runners.storage.test_schema import execute
from tests.server.contests.field import bot_in, person_in
from tests.server.playing import a_game_service, begin
from tests.storage import described

REMEDY = (
    f"change runners/storage/migrations/{schema.STEPS[-1]}.py as you changed the tables "
    "(a released step: add one)"
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path / "games.sqlite")) as database:
        yield database


def test_the_steps_lead_to_the_tables_that_new_databases_get(
    database: Database, tmp_path: Path
) -> None:
    with database.writing() as connection:
        schema.upgrade(connection, 0)
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, tables) == [], REMEDY
        stepwise = described(connection)
    with (
        closing(GameStorage(tmp_path / "new.sqlite")) as storage,
        storage.database.reading() as connection,
    ):
        assert stepwise == described(connection), REMEDY


@pytest.fixture
def first_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a database as the first version left it, with a person and a game."""
    path, present = tmp_path / "first.sqlite", tmp_path / "present.sqlite"
    begin(a_game_service(present))
    with closing(Database(present)) as database, database.reading() as connection:
        game = dict(connection.execute(select(games)).mappings().one())
    del game["version"]
    with monkeypatch.context() as patched, closing(Database(path)) as database:
        patched.setattr(schema, "STEPS", schema.STEPS[:1])
        patched.setattr(schema, "REVISION", 1)
        with database.writing() as connection:
            schema.upgrade(connection, 0)
            connection.execute(insert(games).values(game))
            olga = {"id": "olga", "name": "Olga", "name_key": name_key("Olga")}
            states = {"is_organizer": True, "is_banned": False, "created_at": now()}
            connection.execute(insert(people_table).values({**olga, **states}))
    return path


def revision_of(path: Path) -> int:
    with closing(Database(path)) as database, database.reading() as connection:
        return int(connection.execute(select(about.c.revision)).scalar_one())


def test_a_database_of_the_first_revision_is_upgraded_and_keeps_its_games(
    first_revision: Path,
) -> None:
    assert revision_of(first_revision) == 1
    with closing(GameStorage(first_revision)) as storage:
        (game,) = storage.running_games()
        assert [one.name for one in game.seats] == ["Ann 1", "Ann 2"]
        assert [person.name for person in People(storage.database).everybody()] == ["Olga"]
        with storage.database.reading() as connection:
            assert connection.execute(select(bots)).all() == []
    assert revision_of(first_revision) == schema.REVISION


def test_a_step_that_fails_leaves_the_older_database_as_it_was(
    first_revision: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        upgrade_to_second()
        raise OSError("the disk is full")

    upgrade_to_second = second.upgrade
    monkeypatch.setattr(second, "upgrade", fail)
    with pytest.raises(OSError, match="the disk is full"):
        GameStorage(first_revision)
    with closing(Database(first_revision)) as database, database.reading() as connection:
        assert not inspect(connection).has_table(bots.name)
    assert revision_of(first_revision) == 1


def test_an_upgrade_keeps_a_copy_beside_the_database_and_says_so_once(
    first_revision: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copy = first_revision.with_name(f"first.before_revision_{schema.REVISION}.sqlite")
    GameStorage(first_revision).close()
    assert (revision_of(copy), revision_of(first_revision)) == (1, schema.REVISION)
    assert copy.stat().st_mode & 0o777 == 0o600
    (line,) = caplog.messages
    assert str(copy) in line
    GameStorage(first_revision).close()
    assert caplog.messages == [line]


def test_a_disk_that_is_full_in_an_upgrade_is_named_with_what_to_do(
    first_revision: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill() -> None:
        op.execute("PRAGMA max_page_count=1")  # as many as there are: no page is given any more
        upgrade_to_second()

    upgrade_to_second = second.upgrade
    monkeypatch.setattr(second, "upgrade", fill)
    with pytest.raises(
        EngineFailure, match=r"the disk is full, and nothing was changed: make room"
    ):
        GameStorage(first_revision)
    assert revision_of(first_revision) == 1


def test_messages_from_before_it_was_kept_who_read_them_are_not_new(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    game_service = a_game_service(path)
    owned, other, silent = (begin(game_service) for _ in range(3))
    with closing(Database(path)) as database:
        people = People(database)
        ann = people.join(people.new_link(Kind.PERSON, made_by=None), "Ann", None)
        for game in (owned, silent):
            OpenGames(database).own(game, 2, ann.id)
        for game in (owned, other):
            game_service.say(game, 1, "hello")
        with database.writing() as connection:
            schema.downgrade(connection, 7)
    with closing(GameStorage(path)) as storage:
        (message,) = storage.messages(owned, 10)
        assert [storage.read_up_to(game) for game in (owned, other, silent)] == [
            {2: message.id},
            {},
            {},
        ]


def test_copies_that_were_noticed_leave_and_their_bots_stay(database: Database) -> None:
    schema.ensure_schema(database)
    ann, bob = (bot_in(database, person_in(database, name), name) for name in ("Ann", "Bob"))
    with database.writing() as connection:
        schema.downgrade(connection, 23)
        execute(connection, "fingerprints", ann.version, "player.py", "likeness", "exact")
        sides = ("likeness", bob.version, "player.py", ann.version, "player.py")
        execute(connection, "copies", 1, bob.id, ann.id, *sides, True, now(), None)
    schema.ensure_schema(database)
    with database.reading() as connection:
        assert not {"fingerprints", "copies"} & {*inspect(connection).get_table_names()}
        assert {*connection.execute(select(bots.c.name)).scalars()} == {"Ann", "Bob"}


def test_a_database_of_a_newer_version_is_refused(first_revision: Path) -> None:
    with closing(Database(first_revision)) as database, database.writing() as connection:
        connection.execute(about.update().values(revision=schema.REVISION + 1))
    with pytest.raises(UsageError, match=f"newer version .*revision {schema.REVISION + 1}"):
        GameStorage(first_revision)


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(Database(path)) as database, database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE matches (key TEXT)")
    with pytest.raises(UsageError, match="something else than results and games"):
        GameStorage(path)
    with closing(Database(path)) as database, database.reading() as connection:
        assert inspect(connection).get_table_names() == ["matches"]


def test_every_step_stands_in_the_list() -> None:
    folder = Path(migrations.__path__[0])
    assert {file.stem for file in folder.glob("*.py")} == {"__init__", *schema.STEPS}
