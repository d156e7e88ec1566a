"""Configuration, results and databases that somebody else wrote, on the command line."""

import os
import sqlite3
from pathlib import Path

import pytest

from runners.storage.store import open_store
from tests import needs
from tests.shell import Done, Shell

pytestmark = needs.MKFIFO
KEY = "abcd1234abcd1234"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("strangers"))


@pytest.fixture
def odd_files(tmp_path: Path) -> list[Path]:
    """A pipe without anybody at its other end, a device, a folder, and one of 10 GB."""
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10 * 2**30)
    (tmp_path / "folder").mkdir()
    return [tmp_path / "pipe", Path("/dev/zero"), tmp_path / "folder", tmp_path / "sparse"]


def expect_one_line(done: Done, *arguments: str) -> None:
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert done.err.rstrip("\n").isprintable()
    assert all(word in done.err for word in arguments), done.err


@pytest.mark.parametrize("option", ["--config", "--settings"])
def test_what_is_no_file_of_settings_is_refused(
    shell: Shell, odd_files: list[Path], option: str
) -> None:
    for path in odd_files:
        expect_one_line(
            shell.run(option, str(path), "info", "settings"), f"{path}: cannot be read: "
        )


@pytest.mark.parametrize("option", ["--config", "--settings"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"a = " + b"[" * 5_000 + b"]" * 5_000, "nested too deeply", id="brackets"),
        pytest.param(b"a = " + b"{b = " * 5_000 + b"1" + b"}" * 5_000, "nested", id="tables"),
        pytest.param(b"settings" + b".a" * 5_000 + b" = 1", "more than 100 dots", id="dots"),
        pytest.param(b"\xff\xfe", "is not valid TOML: it is UTF-16", id="no text"),
        pytest.param('"\x1b[31m\u202e" = 1'.encode(), "is not valid TOML", id="escapes"),
    ],
)
def test_settings_that_are_none_are_refused(
    shell: Shell, tmp_path: Path, option: str, content: bytes, message: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    expect_one_line(shell.run(option, str(path), "info", "settings"), str(path), message)


def test_a_deep_word_is_refused(shell: Shell) -> None:
    done = shell.run("--set", "rows=" + "[" * 5_000 + "]" * 5_000, "info", "settings")
    assert done.code == 2
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "content", [b'{"spec"', b'{"spec":' + b"[" * 100_000, b"\xff\xfe", b"[" + b"1," * 10_000_000]
)
def test_a_result_that_is_none_is_refused(shell: Shell, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "matches" / KEY / "match.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    expect_one_line(shell.run("--out", str(tmp_path), "--match", KEY[:4]), "cannot be read")


def test_a_result_in_a_pipe_is_refused(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "matches" / KEY / "match.json"
    file.parent.mkdir(parents=True)
    os.mkfifo(file)
    expect_one_line(shell.run("--out", str(tmp_path), "--match", KEY), "not a regular file")


def test_a_database_that_is_none_is_refused(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "garbage").write_bytes(b"garbage " * 1_000)
    for path in (tmp_path / "garbage", tmp_path):
        done = shell.run("report", "--standings", "--results", f"sqlite:///{path}")
        assert done.code in (1, 2)
        assert done.err.count("\n") == 1
        assert done.err.startswith(f"error: {path}: cannot be ")


def test_a_database_with_a_hostile_tournament_is_refused(shell: Shell, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'results.sqlite'}"
    open_store(url).close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        plan = '{"name":' + "[" * 100_000
        connection.execute(
            "INSERT INTO contests (name, plan, begun_at) VALUES (?, ?, 1)",
            ("x\x1b[2J\u202e", plan),
        )
    connection.close()
    expect_one_line(shell.run("report", "--standings", "other", "--results", url), "there are: x")
    expect_one_line(shell.run("report", "--standings", "--results", url), "cannot be understood")
