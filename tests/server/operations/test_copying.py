"""A server's database on PostgreSQL: upgraded and taken back, copied, saved and restored."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, inspect, select

from engine.errors import EngineFailure, UsageError
from runners.storage import schema
from runners.storage.database import Database, now, with_time_zone
from runners.storage.ladder_tables import VersionState, fixtures, notices, players, ratings
from runners.storage.schema import DATABASE
from runners.storage.tables import about, contests, tables
from server.games.game_storage import GameStorage
from server.identity.shown_once import ShownOnce
from server.identity.tokens import Tokens
from server.operations.backup import back_up, restore
from server.operations.copying import copy_database
from tests.postgresql import PostgreSQL
from tests.server.contests.field import bot_in, keep_result, ladder_in, version_in
from tests.server.members import Server, serving
from tests.server.playing import start_game

FULL = {"people", "games", "audit", "bots", "versions", "fixtures", "players", "contests"}
OLD = datetime(2020, 2, 29, 12, 30)  # noqa: DTZ001 - as SQLite keeps it


@pytest.fixture
def url(postgresql: PostgreSQL) -> str:
    """Return the URL of a new, empty database."""
    return postgresql.new_url()


def fill(server: Server) -> None:
    """Let there be games, bots, ladders and results."""
    database = server.storage.database
    server.member("Ann", "correct horse")
    start_game(server.game_service)
    ladder = ladder_in(database, name="Spring")
    bot = bot_in(database, server.person_id("Ann"), "muncher")
    version_in(database, bot, "v2", number=2, state=VersionState.FORMER)
    Tokens(database, server.site.people).create_token(server.person_id("Ann"), "laptop")
    result = json.dumps({"teams": [{"faults": {}}], "words": "é \u2603 '; DROP TABLE bots"})
    rows = [
        {
            "ladder": ladder.id,
            "set_number": number,
            "seats": "[]",
            "seed": str(1 << 120),
            "key": f"k{number}",
            "created_at": now(),
            "played_at": None if number % 3 else now(),
            "has_result": number % 3 == 0,
            "public_id": f"p{number}",
        }
        for number in range(1_203)
    ]
    with database.transaction() as connection:
        cup = {"plan": '{"format":"swiss"}', "format": "swiss", "begun_at": now()}
        first = {"name": "!", "ladder": ladder.id, **cup}  # it sorts before its ladder
        connection.execute(insert(contests).values(first))
        connection.execute(insert(fixtures), rows)
        for row in rows:
            if row["has_result"]:
                keep_result(connection, str(row["key"]), result)
        seats = [
            {"fixture": number, "seat": 0, "version": "v2", "score": 1 / number, "cpu_ms": number}
            for number in range(1, 1_203)
        ]
        connection.execute(insert(players), seats)
        rating = {"version": "v2", "at": now(), "games": 3, "elo": -1.5, "ladder": ladder.id}
        connection.execute(insert(ratings).values(**rating))
        notice = {"person": server.person_id("Ann"), "words": "w", "path": "/", "at": now()}
        connection.execute(insert(notices).values(**notice))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a server that holds something of everything; tests take copies."""
    home = tmp_path_factory.mktemp("filled")
    with serving(home / "results") as server:
        fill(server)
    return home / "results"


@pytest.fixture
def full(filled: Path, tmp_path: Path) -> Path:
    """Return such a folder of its own."""
    (tmp_path / "results").mkdir()
    shutil.copy(filled / DATABASE, tmp_path / "results" / DATABASE)
    return tmp_path / "results"


@contextmanager
def writing(where: Path | str) -> Iterator[Connection]:
    with closing(Database(where)) as database, database.transaction() as connection:
        yield connection


def contents(url: Path | str) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables."""
    with writing(url) as connection:
        return {table.name: read_rows(connection, table.name) for table in tables.sorted_tables}


def read_rows(connection: Connection, name: str) -> list[tuple[object, ...]]:
    rows = connection.execute(select(tables.tables[name])).all()
    found = [
        tuple(with_time_zone(one) if isinstance(one, datetime) else one for one in row)
        for row in rows
    ]
    return sorted(found, key=repr)


@pytest.mark.slow
def test_all_rows_are_equal_after_a_copy_there_and_back(
    full: Path, url: str, tmp_path: Path
) -> None:
    before = contents(full / DATABASE)
    assert {name for name, rows in before.items() if rows} >= FULL
    count = copy_database(full / DATABASE, url)
    assert count == sum(map(len, before.values()))
    assert contents(url) == before
    again = tmp_path / "again.sqlite"
    copy_database(url, again)
    assert contents(again) == before
    with writing(url) as connection:  # new rows are numbered behind those that were copied
        row = {"person": None, "what": "w", "words": "", "at": now(), "address": ""}
        newest = connection.execute(insert(tables.tables["audit"]).values(**row))
        assert newest.inserted_primary_key is not None
        assert newest.inserted_primary_key[0] > max(int(str(row[0])) for row in before["audit"])


@pytest.mark.slow
def test_what_waits_to_be_shown_once_is_not_copied(full: Path, url: str, tmp_path: Path) -> None:
    for source, target in ((full / DATABASE, url), (url, tmp_path / "again.sqlite")):
        with closing(Database(source)) as database:
            ShownOnce(database).save("a session", "/me", "a link")
        copy_database(source, target)
        assert contents(target)["shown_once"] == []
        assert contents(target)["people"] == contents(source)["people"]


@pytest.mark.slow
def test_a_backup_of_postgresql_is_restored_into_either_database(
    full: Path, url: str, postgresql: object, tmp_path: Path
) -> None:
    source = full / DATABASE
    before = contents(source)
    copy_database(source, url)
    (full / DATABASE).rename(tmp_path / "not used any more.sqlite")
    (full / "matches").mkdir()
    (full / "matches" / "replay").write_text("a replay")
    files = back_up(full, tmp_path / "saved.zip", url)
    assert restore(tmp_path / "saved.zip", tmp_path / "file") == files
    assert contents(tmp_path / "file" / DATABASE) == before
    other: str = postgresql.new_url()  # type: ignore[attr-defined]
    assert restore(tmp_path / "saved.zip", tmp_path / "server", other) == files - 1
    assert contents(other) == before
    assert (tmp_path / "server/matches/replay").read_text() == "a replay"
    assert not (tmp_path / "server" / DATABASE).exists()
    with pytest.raises(UsageError, match="holds tables already; copy into an empty"):
        restore(tmp_path / "saved.zip", tmp_path / "third", other)
    assert list((tmp_path / "third").iterdir()) == []


@pytest.mark.slow
def test_what_cannot_be_copied_leaves_the_target_empty(full: Path, url: str) -> None:
    with writing(full / DATABASE) as connection:
        connection.exec_driver_sql("UPDATE notices SET words = 'a' || char(0) || 'b'")
    with pytest.raises((EngineFailure, UsageError), match=r"NUL|0x00"):
        copy_database(full / DATABASE, url)
    with writing(url) as connection:
        assert inspect(connection).get_table_names() == []


def test_urls_that_cannot_be_used_are_told_without_a_password(full: Path) -> None:
    source = full / DATABASE
    for url in ("nonsense", "nodriver://x", "postgresql+psycopg://a:secret@127.0.0.1:1/x"):
        with pytest.raises((UsageError, EngineFailure)) as found:
            copy_database(source, url)
        assert "secret" not in str(found.value)


def test_older_tables_are_not_copied(full: Path, tmp_path: Path) -> None:
    source = full / DATABASE
    with writing(source) as connection:
        schema.downgrade(connection, schema.BASELINE)
    with pytest.raises(UsageError, match=f"revision {schema.BASELINE}, these of"):
        copy_database(source, tmp_path / "other.sqlite")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_a_full_database_is_taken_back_to_the_baseline_and_forward_again(
    full: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    where: Path | str = full / DATABASE
    if kind == "postgresql":
        where = request.getfixturevalue("url")
        copy_database(full / DATABASE, where)
    before = contents(where)
    with writing(where) as connection:
        schema.downgrade(connection, schema.BASELINE)
        assert inspect(connection).has_table("copies")
    with closing(GameStorage(where)):
        assert contents(where) == before


def test_no_revision_that_is_not_there_is_gone_back_to(full: Path) -> None:
    for revision in (schema.BASELINE - 1, schema.REVISION + 1):
        with (
            pytest.raises(UsageError, match=f"revision {revision}: the tables are of revision"),
            writing(full / DATABASE) as connection,
        ):
            schema.downgrade(connection, revision)
    with closing(Database(full / DATABASE)) as database, database.reading() as connection:
        assert connection.execute(select(about.c.revision)).scalar_one() == schema.REVISION
