"""A season of a server is played on from the command line, without the server's pages."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from cli.main import cli
from engine.errors import UsageError
from runners.contests.ladders import Ladders
from runners.storage import leases
from runners.storage.database import Database, now
from runners.storage.leases import Lease
from runners.storage.schema import DATABASE, ensure_schema
from tests.postgresql import PostgreSQL
from tests.server.contests.field import play_until, playing, results_in, tiny_field, tiny_ladder_in
from tests.shell import eventually


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path / DATABASE)) as database:
        ensure_schema(database)
        yield database


def play(out: Path, *arguments: str) -> list[str]:
    """Return the lines that `admin play Spring` prints. Raises what it raises."""
    done = CliRunner().invoke(cli, ["admin", "play", "Spring", *arguments, "--out", str(out)])
    if done.exception is not None:
        raise done.exception
    return done.output.splitlines()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_season_that_a_server_has_begun_is_played_to_its_end(
    database: Database, tmp_path: Path
) -> None:
    season, _ = tiny_field(database, tmp_path, "ann", "ben", name="Spring")
    before = play_until(database, tmp_path, season, 2)
    Ladders(database).change(replace(season, ends_at=now() + timedelta(seconds=5)))
    lines = play(tmp_path, "--jobs", "1")
    rows = results_in(database, season)
    assert rows[: len(before)] == before
    assert len(rows) > len(before)
    assert len({row.key for row in rows}) == len(rows)
    assert any("played here, 2 bots rated" in line for line in lines)
    title, *table = [line.split() for line in lines if "rated" not in line]
    assert title == ["rank", "bot", "author", "matches", "rating"]
    assert {(row[1], row[-2]) for row in table} == {
        (name, str(len(rows))) for name in ("ann", "ben")
    }


def test_what_a_server_plays_is_not_played_here(database: Database, tmp_path: Path) -> None:
    tiny_field(database, tmp_path, "ann", "ben", name="Spring")
    with playing(database, tmp_path) as player:
        assert eventually(lambda: player._known)
        with pytest.raises(UsageError, match="Spring is being played by process "):
            play(tmp_path)


YESTERDAY = now() - timedelta(days=1)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"begins_at": now() + timedelta(days=1)}, "Spring begins on "),
        ({"ends_at": YESTERDAY, "concluded_at": YESTERDAY}, "Spring is over"),
        ({"is_paused": True}, "Spring is paused: 'admin resume' lets it go on"),
    ],
)
def test_what_does_not_run_is_not_played(
    database: Database, tmp_path: Path, fields: dict[str, object], why: str
) -> None:
    tiny_ladder_in(database, name="Spring", **fields)
    with pytest.raises(UsageError, match=why):
        play(tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_what_a_server_has_played_that_was_killed_is_taken_over(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEASE_S", 3.0)
    url = postgresql.new_url()
    with closing(Database(url)) as database:
        ensure_schema(database)
        soon = now() + timedelta(seconds=12)
        season, _ = tiny_field(database, tmp_path, "ann", "ben", name="Spring", ends_at=soon)
        assert Lease(database, "dispatcher").take()
        play(tmp_path, "--jobs", "1", "--database", url)
        assert results_in(database, season)


def test_where_nobody_can_meet_that_is_said(database: Database, tmp_path: Path) -> None:
    soon = now() + timedelta(seconds=2)
    tiny_field(database, tmp_path, "ann", name="Spring", ends_at=soon)
    assert "Spring waits for bots of two authors: those of one never meet" in play(tmp_path)


def test_workers_beside_a_cluster_are_refused(database: Database, tmp_path: Path) -> None:
    tiny_field(database, tmp_path, "ann", "ben", name="Spring")
    with pytest.raises(UsageError, match="--jobs: --cluster plays as many matches"):
        play(tmp_path, "--jobs", "2", "--cluster", "local:1")
