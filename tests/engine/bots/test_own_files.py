"""A bot's files are looked at before they are read, and nothing is read beyond the limits."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engine.bots import own_files
from engine.bots.finding import find_bots, read_bot
from engine.errors import BadBot
from tests import needs

with suppress(ImportError):  # Windows has none
    import resource

SOURCE = "class Player: pass\n"
MEGABYTE = 1_000_000
GIGABYTE = 1_000_000_000


def a_folder(home: Path) -> Path:
    home.mkdir()
    (home / "__init__.py").write_text(SOURCE)
    return home


def sparse(path: Path, size: int) -> Path:
    """A file of so many zeros that takes no room."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


def pipe_at(path: Path) -> None:
    os.mkfifo(path)


def socket_at(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket may have a hundred letters
        try:
            server.bind(path.name)
        finally:
            os.chdir(here)


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file may be opened."""

    def refuse_to_open(name: str, flags: int) -> int:
        raise AssertionError(f"{name} was opened")

    monkeypatch.setattr(own_files, "_open_at_once", refuse_to_open)


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("weights.npy", 20 * GIGABYTE, r"32 MB of files, and this one has 20000\.01 MB"),
        ("weights.npy", 20 * GIGABYTE, r"the largest is weights\.npy with 20000 MB"),
        ("weights.npy", 32 * MEGABYTE, r"32 MB of files, and this one has 32\.01 MB"),
        ("tables/big.py", 3 * MEGABYTE, r"1 MB of source \(\.py files\), and this one has 3\.01"),
        ("tables/big.py", 3 * MEGABYTE, r"the largest is tables/big\.py with 3 MB"),
    ],
)
@pytest.mark.usefixtures("unread")
def test_too_many_bytes_are_refused_by_size_limit_and_file_before_any_is_read(
    tmp_path: Path, name: str, size: int, message: str
) -> None:
    home = a_folder(tmp_path / "player_x")
    (home / "tables").mkdir()
    sparse(home / name, size)
    with pytest.raises(BadBot, match=f"player_x: a bot may have .*{message}"):
        read_bot(home)


@pytest.mark.usefixtures("unread")
def test_a_file_of_too_much_source_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = sparse(tmp_path / "player_x.py", 20 * GIGABYTE)
    with pytest.raises(BadBot, match=r"player_x\.py: a bot may have 1 MB of source.* has 20000 MB"):
        read_bot(path)


def test_source_of_several_files_counts_together(tmp_path: Path) -> None:
    home = a_folder(tmp_path / "player_x")
    for name in ("one.py", "two.py"):
        (home / name).write_text("#" * 500_000)
    with pytest.raises(BadBot) as refused:
        read_bot(home)
    assert str(refused.value).endswith(
        "1.01 MB; the largest is one.py with 0.5 MB; put tables into a data file: a bot that "
        "is a folder with an __init__.py may have 32 MB of files, and opens one as "
        "Path(__file__).with_name('NAME')"
    )
    (home / "two.py").rename(home / "two.txt")
    assert read_bot(home).flaw == ""


@pytest.mark.slow
def test_a_bot_up_to_the_limits_is_read(tmp_path: Path) -> None:
    home = a_folder(tmp_path / "player_x")
    sparse(home / "weights.npy", 31 * MEGABYTE)
    for number in range(998):
        (home / f"{number}.txt").touch()
    assert len(own_files.read_files(home)) == 1_000
    assert read_bot(home).flaw == ""
    (home / "one_more.txt").touch()
    with pytest.raises(BadBot, match="has more than 1000 files, and a bot may have 1000"):
        read_bot(home)


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("{}.txt", "has more than 1000 files, and"),
        ("{}/", "has more than 10000 files and folders, hidden ones included"),
        (".{}", "has more than 10000 files and folders, hidden ones included"),
    ],
)
@pytest.mark.usefixtures("unread")
def test_looking_at_a_folder_ends_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    home = a_folder(tmp_path / "player_x")
    for number in range(own_files.MAX_ENTRIES + 1_000):
        path = home / name.format(number)
        path.mkdir() if name.endswith("/") else path.touch()
    looks, about = list[Path](), own_files._file_status

    def look(path: Path) -> os.stat_result:
        looks.append(path)
        return about(path)

    monkeypatch.setattr(own_files, "_file_status", look)
    with pytest.raises(BadBot, match=text):
        read_bot(home)
    assert len(looks) <= own_files.MAX_ENTRIES


def test_folders_in_folders_without_end_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_folder(tmp_path / "player_x"))
    for _ in range(100):  # deeper than any path can name
        os.mkdir("d" * 100)  # noqa: PTH102
        os.chdir("d" * 100)
    with pytest.raises(BadBot, match="cannot be read: File name too long"):
        read_bot(tmp_path / "player_x")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(pipe_at, marks=needs.MKFIFO),
        pytest.param(socket_at, marks=needs.call("socket.AF_UNIX")),
    ],
)
@pytest.mark.usefixtures("unread")
def test_what_is_no_ordinary_file_is_refused_and_not_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    home = a_folder(tmp_path / "player_x")
    make(home / "strange")
    with pytest.raises(BadBot, match="strange: a pipe, socket or device"):
        read_bot(home)


def test_a_file_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    home = a_folder(tmp_path / "player_x")
    (home / os.fsdecode(b"\xff\x1b.txt")).touch()
    with pytest.raises(BadBot, match="the name of this file is not UTF-8") as refused:
        read_bot(home)
    assert str(refused.value).isprintable()


def grow(path: Path) -> None:
    with path.open("a") as file:
        file.write("#" * 50_000)


def shrink(path: Path) -> None:
    path.write_text("")


def become_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def become_a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    "change", [grow, shrink, pytest.param(become_a_pipe, marks=needs.MKFIFO), become_a_link]
)
def test_a_file_that_changes_after_it_was_looked_at_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    path = tmp_path / "player_x.py"
    path.write_text(SOURCE)
    open_at_once = own_files._open_at_once

    def change_first(name: str, flags: int) -> int:
        change(path)
        return open_at_once(name, flags)

    monkeypatch.setattr(own_files, "_open_at_once", change_first)
    with pytest.raises(BadBot, match=r"player_x\.py: (was changed while|cannot be read: Too many)"):
        read_bot(path)


@needs.call("resource.getrusage")
def test_broken_neighbors_are_listed_with_the_reason_and_cost_no_memory(tmp_path: Path) -> None:
    a_folder(tmp_path / "player_good")
    sparse(tmp_path / "player_huge.py", 20 * GIGABYTE)
    sparse(a_folder(tmp_path / "player_sparse") / "weights.npy", 20 * GIGABYTE)
    sparse(a_folder(tmp_path / "player_half") / "weights.npy", GIGABYTE // 2)
    os.mkfifo(a_folder(tmp_path / "player_pipe") / "pipe")
    (tmp_path / "player_wordy.py").write_text("a\n" * 1_500_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    listed = {bot.name: bot.flaw for bot in find_bots(tmp_path)}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes
    assert listed.pop("player_good") == ""
    assert sorted(listed) == [
        "player_half",
        "player_huge",
        "player_pipe",
        "player_sparse",
        "player_wordy",
    ]
    assert all(listed.values())
