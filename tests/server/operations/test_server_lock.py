"""One server a file, private, and no new one where the file of an older one was lost."""

import os
import re
import signal
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from engine.errors import UsageError
from runners.storage.database import Database
from runners.storage.schema import DATABASE
from server.games.game_storage import GameStorage
from server.identity.people import People
from tests import needs
from tests.postgresql import PostgreSQL
from tests.shell import Shell, finish

LINK = "/welcome/"


@contextmanager
def serving(shell: Shell, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    needs.require_call("os.killpg")
    process = shell.start("serve", "--port", "0", "--jobs", "0", *arguments)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Ctrl-C"):
            break
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            assert finish(process).code == 130


# -- a second one ----------------------------------------------------------------------------------


@pytest.mark.slow
@needs.FLOCK
def test_a_second_server_of_a_folder_is_refused_and_told_whose_it_is(shell: Shell) -> None:
    with serving(shell) as first:
        for words in ((), ("--database", "sqlite:///results/games.sqlite")):
            second = shell.run("serve", "--port", "0", *words)
            assert second.code == 2
            assert re.search(
                rf"results/games.sqlite: is being served by process {first.pid} on \S+, since "
                r"\d{4}-\d\d-\d\d \d\d:\d\d UTC; end that process first, or serve another folder "
                "with --out",
                second.err,
            )
        first.kill()
        first.wait()
    with serving(shell):  # the lock has ended with its process
        pass


@pytest.mark.slow
@needs.FLOCK
def test_what_organizes_a_server_runs_beside_it_and_what_replaces_it_does_not(shell: Shell) -> None:
    with serving(shell) as server:
        for words in (("people",), ("invite",), ("audit",), ("backup", "saved.zip")):
            done = shell.run("admin", *words)
            assert done.code == 0, done
        for words in (("copy", "sqlite:///other.sqlite"), ("downgrade", "3")):
            done = shell.run("admin", *words)
            assert done.code == 2
            assert f"is being served by process {server.pid} on " in done.err
    assert not (shell.home / "other.sqlite").exists()
    assert shell.run("admin", "copy", "sqlite:///other.sqlite").code == 0


@pytest.mark.slow
def test_two_folders_are_served_at_once(shell: Shell) -> None:
    with serving(shell), serving(shell, "--database", "sqlite:///elsewhere/games.sqlite"):
        pass


@pytest.mark.slow
def test_two_servers_of_a_postgresql_database_serve(shell: Shell, postgresql: PostgreSQL) -> None:
    url = postgresql.new_url()
    with serving(shell, "--database", url), serving(shell, "--database", url, "--role", "web"):
        pass


# -- one that was lost -----------------------------------------------------------------------------


def lose(path: Path, how: str) -> None:
    """Leave of a database what a full disk or a copy that was cut off leaves."""
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    if how == "empty":
        path.write_bytes(b"")
    elif how == "no tables":
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA user_version = 1")
            database.execute("VACUUM")
    else:
        path.write_bytes(b"not a database at all, but long enough to be looked at" * 100)


@pytest.mark.parametrize("trace", ["bots/a0123456789abcde", "matches/a-match"])
@pytest.mark.parametrize(
    ("how", "message"), [("empty", "is empty"), ("no tables", "holds no tables")]
)
def test_a_lost_database_is_refused_with_what_to_do_and_left_as_it_is(
    tmp_path: Path, how: str, message: str, trace: str
) -> None:
    path = tmp_path / DATABASE
    lose(path, how)
    (tmp_path / trace).mkdir(parents=True)
    before = path.read_bytes()
    with pytest.raises(UsageError, match=rf"{DATABASE}: {message}, and beside it .*") as refused:
        GameStorage(path)
    assert "admin restore BACKUP.zip --out FOLDER" in str(refused.value)
    assert f"remove {path} to begin a new server" in str(refused.value)
    assert path.read_bytes() == before
    path.unlink()
    with closing(GameStorage(path)) as storage:
        assert not People(storage.database).has_organizer()


def test_an_empty_database_beside_its_log_is_refused_and_keeps_it(tmp_path: Path) -> None:
    path, log = tmp_path / DATABASE, tmp_path / f"{DATABASE}-wal"
    path.touch()
    log.write_bytes(b"what was written last")
    with pytest.raises(UsageError, match=r"is empty, and beside it .*games\.sqlite-wal"):
        GameStorage(path)
    assert log.read_bytes() == b"what was written last"


def test_what_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    lose(path, "garbage")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is no database of games, or is damaged"):
        GameStorage(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("how", ["missing", "empty", "no tables"])
def test_where_nothing_else_lies_a_new_server_begins(tmp_path: Path, how: str) -> None:
    path = tmp_path / DATABASE
    if how != "missing":
        lose(path, how)
    with closing(GameStorage(path)) as storage:
        assert storage.running_games() == []
    assert [one.name for one in tmp_path.iterdir()] == [DATABASE]


def test_a_folder_with_results_of_tournaments_gets_a_server(tmp_path: Path) -> None:
    (tmp_path / "bots" / "a0123456789abcde").mkdir(parents=True)
    with closing(GameStorage(tmp_path / DATABASE)) as storage:
        assert storage.running_games() == []


@pytest.mark.slow
def test_the_command_refuses_a_lost_database_and_prints_no_link(shell: Shell) -> None:
    with serving(shell):
        pass
    (shell.home / "results" / "bots" / "a0123456789abcde").mkdir(parents=True, exist_ok=True)
    lose(shell.home / "results" / DATABASE, "empty")
    for words in (("serve", "--port", "0"), ("admin", "people")):
        done = shell.run(*words)
        assert done.code == 2
        assert "it looks as if its accounts and games were lost" in done.err
        assert LINK not in done.out


# -- and nobody else's -----------------------------------------------------------------------------


def modes_in(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder.parent)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in (folder, *folder.rglob("*"))
    }


@needs.MODES
def test_a_database_and_what_lies_beside_it_is_ours_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / DATABASE
        with closing(GameStorage(path)) as storage:
            with storage.database.reading():
                modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
            assert modes == dict.fromkeys((DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"), 0o600)
            for one in tmp_path.iterdir():  # as an older version has left them
                one.chmod(0o644)
            GameStorage(path).close()
            assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {0o600}
        with closing(Database(tmp_path / "bare.sqlite")) as database, database.transaction():
            assert stat.S_IMODE((tmp_path / "bare.sqlite").stat().st_mode) == 0o600
    finally:
        os.umask(before)


@pytest.mark.slow
@needs.MODES
def test_whatever_the_umask_nobody_else_can_read_what_a_server_leaves(shell: Shell) -> None:
    results = shell.home / "results"
    (results / "bots" / "old").mkdir(parents=True)
    results.chmod(0o755)
    (results / "bots").chmod(0o755)
    process = shell.start("serve", "--port", "0", "--jobs", "0", umask=0o000)
    assert process.stdout is not None
    next(line for line in process.stdout if line.startswith("Ctrl-C"))
    modes = modes_in(results)
    os.killpg(process.pid, signal.SIGINT)
    finish(process)
    assert modes["results/bots"] == "0o700"
    assert {name: mode for name, mode in modes.items() if mode[-2:] != "00"} == {
        "results": "0o755",
        "results/bots/old": "0o755",
    }
    assert shell.run("admin", "backup", "saved.zip", umask=0o000).code == 0
    assert stat.S_IMODE((shell.home / "saved.zip").stat().st_mode) == 0o600
    assert shell.run("--out", "again", "admin", "restore", "saved.zip", umask=0o000).code == 0
    assert {
        name: mode for name, mode in modes_in(shell.home / "again").items() if mode[-2:] != "00"
    } == {}
