"""Bots are found, read without being run, and copied by what they contain."""

import os
import threading
from pathlib import Path

import pytest

from engine.bots import finding
from engine.bots.finding import Copies, find_bots, read_bot, resolve
from engine.bots.own_files import compute_signature
from engine.errors import BadBot, EngineFailure
from tests.engine.bots.bad_bots import bad_bot_path, bad_bots
from tests.shell import eventually

SOURCE = "class Player: pass\n"
RUNS = "import pathlib, sys\npathlib.Path(__file__).with_suffix('.ran').touch()\nsys.exit(9)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two bots of a file, one of a folder, the template, and what is none of them."""
    (tmp_path / "player_two.py").write_text(SOURCE + "# two\n")
    (tmp_path / "player_one.py").write_text(SOURCE)
    (tmp_path / "player_base.py").write_text(SOURCE)
    a_folder(tmp_path / "player_many", SOURCE)
    (tmp_path / "player_notes.txt").write_text("no bot")
    (tmp_path / "player_empty").mkdir()
    (tmp_path / "helpers.py").write_text("")
    return tmp_path


def a_folder(home: Path, source: str = SOURCE) -> Path:
    home.mkdir(parents=True)
    (home / "__init__.py").write_text(source)
    (home / "parts").mkdir()
    (home / "parts" / "data.txt").write_text("data")
    return home


def a_file(home: Path, source: str | bytes, name: str = "player_x.py") -> Path:
    path = home / name
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    return path


def test_files_and_folders_are_found_by_name(folder: Path) -> None:
    assert [bot.name for bot in find_bots(folder)] == [
        "player_base",
        "player_many",
        "player_one",
        "player_two",
    ]
    assert find_bots(folder / "nowhere") == []


@pytest.mark.parametrize("word", ["player_one", "player_one.py", "{folder}/player_one.py"])
def test_a_bot_is_meant_by_name_file_or_path(folder: Path, word: str) -> None:
    assert resolve(word.format(folder=folder), folder) == read_bot(folder / "player_one.py")


def test_a_path_anywhere_is_found_from_where_one_stands(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "player_many")
    for word in (".", "../player_many", "../player_two"):
        assert resolve(word, tmp_path / "elsewhere").name in ("player_many", "player_two")


@pytest.mark.parametrize("word", ["player_nine", "", "x" * 5_000, "a\0b", "player_empty"])
def test_what_is_no_bot_is_refused_with_a_list_of_those_there_are(folder: Path, word: str) -> None:
    with pytest.raises(BadBot, match=r"player_many, player_one\.py, player_two\.py"):
        resolve(word, folder)


def test_reading_does_not_run_a_bot(tmp_path: Path) -> None:
    path = a_file(tmp_path, RUNS + SOURCE + "NAME = 'Hare'\n")
    assert read_bot(path).title == "Hare"
    assert [file.name for file in tmp_path.iterdir()] == ["player_x.py"]


def test_constants_are_read_from_plain_and_annotated_assignments(tmp_path: Path) -> None:
    bot = read_bot(
        a_file(
            tmp_path,
            SOURCE + "NAME = 'Hare'\nAUTHOR: str = 'Ann'\nVERSION = 1.2\n"
            "NEEDS: list[str] = ['scipy', 'networkx']\n",
        )
    )
    assert (bot.title, bot.author, bot.version) == ("Hare", "Ann", "1.2")
    assert bot.needs == ("scipy", "networkx")


@pytest.mark.parametrize(
    "constants",
    [
        "NAME = open('x').read()",
        "NAME = ['a', {'b': 1}]",
        "NAME: str",
        f"NAME = 0x{'f' * 9_000}",
        "NAME = -'x'",
        "NEEDS = 'scipy'",
        "NEEDS = [f(), 1]",
        f"NAME = {'(' * 50}{')' * 50}",
    ],
)
def test_a_strange_constant_is_none(tmp_path: Path, constants: str) -> None:
    bot = read_bot(a_file(tmp_path, SOURCE + constants + "\n"))
    assert (bot.title, bot.needs, bot.flaw) == ("", (), "")


def test_a_constant_is_fit_to_print(tmp_path: Path) -> None:
    bot = read_bot(
        a_file(tmp_path, SOURCE + r"NAME='\x1b[2Jred\n\u202e' + ''; AUTHOR='\x1b[2Jred\n' '\u202e'")
    )
    assert bot.title == ""
    assert bot.author == "[2Jred"
    long = read_bot(a_file(tmp_path, SOURCE + f"NAME = {'x' * 9_999!r}\nNEEDS = ['\\n\\n']"))
    assert (len(long.title), long.needs) == (60, ("",))


@pytest.mark.parametrize(
    ("source", "flaw"),
    [
        (SOURCE, ""),
        ("Player = make()", ""),
        ("from elsewhere import Bot as Player", ""),
        ("from .bot import *", ""),
        ("class Players: pass", "defines no class Player"),
        ("", "defines no class Player"),
        ("class Player(", "syntax error in line 1: '(' was never closed"),
        (b"\xff\xfe", "syntax error"),
        (b"# coding: nonsense\n", "syntax error"),
        (b"a = '\0'", "syntax error: line 1 has a null byte, as no text has"),
        (
            SOURCE.encode("utf-16"),
            "syntax error: it is UTF-16 (with a byte order mark), not UTF-8; save it as UTF-8",
        ),
        (
            b"x = 1\n\ny = '\xe9'\n",
            "syntax error: line 3 has the byte 0xe9 (\u00e9 in Latin-1 or cp1252): it is not UTF-8",
        ),
        ("#\n%matplotlib inline", "syntax error in line 2: `%matplotlib inline` is of a notebook"),
        ('{"cells": [1], "nbformat": 4}', "is a Jupyter notebook: export it as a Python file"),
        ("<!DOCTYPE html>", "syntax error in line 1: it is a web page: download the file itself"),
        ("(" * 9_999, "syntax error"),
        ("-" * 99_999 + "1", "its source is nested too deeply"),
    ],
)
def test_a_flaw_says_why_it_is_no_bot(tmp_path: Path, source: str | bytes, flaw: str) -> None:
    assert read_bot(a_file(tmp_path, source)).flaw.startswith(flaw)
    assert bool(read_bot(a_file(tmp_path, source)).flaw) == bool(flaw)


@pytest.mark.filterwarnings("error")
def test_reading_warns_of_nothing(tmp_path: Path) -> None:
    assert read_bot(a_file(tmp_path, SOURCE + r"X = '\d' is 'x'" + "\n")).flaw == ""


def test_one_bot_that_cannot_be_read_does_not_hide_the_others(folder: Path) -> None:
    (folder / "player_zero.py").symlink_to(folder / "player_one.py")
    listed = {bot.name: bot for bot in find_bots(folder)}
    assert "a link" in listed["player_zero"].flaw
    assert listed["player_one"].flaw == ""


def test_the_same_content_has_the_same_digest_under_any_name(tmp_path: Path) -> None:
    first = read_bot(a_file(tmp_path, SOURCE, "player_a.py"))
    second = read_bot(a_file(tmp_path, SOURCE, "player_b.py"))
    third = read_bot(a_file(tmp_path, SOURCE + "#", "player_c.py"))
    assert first.digest == second.digest != third.digest


def test_a_folders_digest_is_that_of_its_files_and_their_names(tmp_path: Path) -> None:
    plain = read_bot(a_folder(tmp_path / "a")).digest
    cached = a_folder(tmp_path / "b")
    (cached / "__pycache__").mkdir()
    (cached / "__pycache__" / "x.pyc").write_bytes(b"x")
    (cached / ".git").mkdir()
    (cached / ".git" / "HEAD").write_text("x")
    renamed = a_folder(tmp_path / "c")
    (renamed / "parts" / "data.txt").rename(renamed / "parts" / "datb.txt")
    file = read_bot(a_file(tmp_path, SOURCE)).digest
    assert read_bot(cached).digest == plain
    assert read_bot(renamed).digest != plain
    assert file != plain


def test_moving_bytes_from_one_file_to_the_next_is_another_bot(tmp_path: Path) -> None:
    for name, parts in (("a", ("xy", "z")), ("b", ("x", "yz"))):
        home = a_folder(tmp_path / name)
        for file, content in zip(("p.py", "q.py"), parts, strict=True):
            (home / file).write_text(content)
    assert read_bot(tmp_path / "a").digest != read_bot(tmp_path / "b").digest


@pytest.mark.parametrize("target", ["__init__.py", "/etc/hostname", "nowhere", "."])
def test_a_link_in_a_bots_folder_is_refused(tmp_path: Path, target: str) -> None:
    home = a_folder(tmp_path / "player_x")
    (home / "parts" / "link").symlink_to(target)
    with pytest.raises(BadBot, match="a link; a bot's folder may hold files only"):
        read_bot(home)


def test_a_copy_holds_the_bots_own_files_and_is_made_once(tmp_path: Path, folder: Path) -> None:
    copies = Copies(tmp_path / "out" / "bots")
    many = read_bot(folder / "player_many")
    entry = copies.save(many)
    assert entry == copies.save(many) == copies.find_path(many.digest)
    assert sorted(
        file.relative_to(entry.parent).as_posix() for file in entry.parent.rglob("*")
    ) == ["__init__.py", "parts", "parts/data.txt"]
    one = copies.save(read_bot(folder / "player_one.py"))
    assert [file.name for file in one.parent.iterdir()] == ["bot.py"]
    assert read_bot(one).digest == one.parent.name


def test_a_copy_is_there_whole_or_not_at_all(tmp_path: Path, folder: Path) -> None:
    """Many threads want it at once; nobody sees half of it, and nothing is left beside it."""
    bot = read_bot(folder / "player_many")
    home = tmp_path / "out"
    entries: list[str] = []
    threads = [
        threading.Thread(
            target=lambda: entries.append(Copies(home).save(bot).read_text(encoding="utf-8"))
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert entries == [SOURCE] * 8
    assert [path.name for path in home.iterdir()] == [bot.digest]


def test_a_bot_changed_since_it_was_read_is_not_copied_under_the_old_digest(tmp_path: Path) -> None:
    path = a_file(tmp_path, SOURCE)
    bot = read_bot(path)
    path.write_text(SOURCE + "# changed\n")
    with pytest.raises(BadBot, match="was changed while it was being read"):
        Copies(tmp_path / "out").save(bot)
    assert not (tmp_path / "out").exists()


def test_a_copy_that_cannot_be_written_is_our_failure_and_leaves_nothing(tmp_path: Path) -> None:
    bot = read_bot(a_file(tmp_path, SOURCE))
    (tmp_path / "out").write_text("a file where the folder should be")
    with pytest.raises(EngineFailure, match=r"out.*: cannot be written: "):
        Copies(tmp_path / "out").save(bot)


def test_a_bot_that_was_never_copied_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadBot, match="no copy of a bot with digest 0123456789abcdef"):
        Copies(tmp_path).find_path("0123456789abcdef")


@pytest.mark.parametrize(
    ("name", "file"), [("player_one.py", "bot.py"), ("player_many", "bot/parts/data.txt")]
)
def test_a_copy_that_was_changed_is_refused_and_one_is_told_what_to_do(
    tmp_path: Path, folder: Path, name: str, file: str
) -> None:
    home = tmp_path / "out"
    bot = read_bot(folder / name)
    Copies(home).save(bot)
    with (home / bot.digest / file).open("a") as changed:
        changed.write("# cheaper\n")
    message = rf"{bot.digest}: was changed since it was copied; remove this folder"
    with pytest.raises(BadBot, match=message):
        Copies(home).find_path(bot.digest)
    with pytest.raises(BadBot, match=message):
        Copies(home).save(bot)


@pytest.mark.parametrize(
    "extra",
    [
        "bot/__pycache__/near.cpython-311.pyc",
        "bot/.hidden",
        "bot/empty/",
        "json.py",
        "__pycache__/",
    ],
)
def test_a_copy_with_something_beside_its_files_is_refused(
    tmp_path: Path, folder: Path, extra: str
) -> None:
    copies = Copies(tmp_path / "out")
    bot = read_bot(folder / "player_many")
    copies.save(bot)
    path = tmp_path / "out" / bot.digest / extra
    path.parent.mkdir(exist_ok=True)
    path.mkdir() if extra.endswith("/") else path.touch()
    with pytest.raises(BadBot, match="was changed since it was copied"):
        copies.find_path(bot.digest)


def age(copy: Path) -> None:
    """Wait until the times of files tell of any change."""
    assert eventually(lambda: finding._is_settled(compute_signature(copy)))


@pytest.mark.slow
def test_a_copy_that_lies_as_it_lay_is_read_through_once(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = Copies(tmp_path / "out")
    bot = read_bot(folder / "player_many")
    entry = copies.save(bot)
    age(tmp_path / "out" / bot.digest)
    copies.find_path(bot.digest)
    monkeypatch.setattr(finding, "read_files", None)
    assert copies.find_path(bot.digest) == entry


@pytest.mark.parametrize("is_aged", [False, True])
def test_a_change_of_a_known_copy_is_seen_though_size_and_time_are_put_back(
    tmp_path: Path, folder: Path, is_aged: bool
) -> None:
    copies = Copies(tmp_path / "out")
    bot = read_bot(folder / "player_many")
    entry = copies.save(bot)
    if is_aged:
        age(tmp_path / "out" / bot.digest)
        copies.find_path(bot.digest)
    piece_id = entry.stat()
    entry.write_text(SOURCE.swapcase())
    os.utime(entry, ns=(piece_id.st_atime_ns, piece_id.st_mtime_ns))
    with pytest.raises(BadBot, match="was changed since it was copied"):
        copies.find_path(bot.digest)


def test_a_copy_that_was_changed_and_put_back_in_a_match_is_seen(
    tmp_path: Path, folder: Path
) -> None:
    copies = Copies(tmp_path / "out")
    bot = read_bot(folder / "player_many")
    entry = copies.save(bot)

    def play() -> None:
        entry.write_text(SOURCE.swapcase())
        entry.write_text(SOURCE)

    with copies.require_unchanged([bot.digest]):
        """Nothing happens to it."""
    text = "was changed while it was played; the match does not count"
    with pytest.raises(BadBot, match=text), copies.require_unchanged([bot.digest]):
        play()
    assert copies.find_path(bot.digest) == entry


@pytest.mark.slow
def test_every_bad_bot_can_be_read() -> None:
    assert all(read_bot(bad_bot_path(name)).digest for name in bad_bots())


def test_a_folder_without_an_entry_is_no_bot(tmp_path: Path) -> None:
    with pytest.raises(
        BadBot, match=r"a folder without an __init__\.py, or a bot\.toml, is not a bot"
    ):
        read_bot(tmp_path)


def test_a_file_that_vanished_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadBot, match=r"player_x\.py: cannot be read: "):
        read_bot(tmp_path / "player_x.py")


def test_a_bot_arrives_on_another_machine_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "player_many"
    (folder / "deep").mkdir(parents=True)
    (folder / "__init__.py").write_text("class Player: ...")
    (folder / "deep" / "table.txt").write_text("1 2 3")
    single = tmp_path / "player_one.py"
    single.write_text("class Player: ...")
    here, there = Copies(tmp_path / "here"), Copies(tmp_path / "there")
    for bot in (read_bot(folder), read_bot(single)):
        assert not there.has(bot.digest)
        here.save(bot)
        there.unpack(bot.digest, here.pack(bot.digest))
        assert there.has(bot.digest)
        assert there.pack(bot.digest) == here.pack(bot.digest)
        there.unpack(bot.digest, here.pack(bot.digest))  # again, by another worker


def test_a_bot_that_was_changed_on_its_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "player_one.py"
    path.write_text("class Player: ...")
    bot = read_bot(path)
    here = Copies(tmp_path / "here")
    here.save(bot)
    there = Copies(tmp_path / "there")
    with pytest.raises(BadBot, match="was changed on its way here"):
        there.unpack("0123456789abcdef", here.pack(bot.digest))
    assert not (tmp_path / "there").exists()


def test_the_beginning_of_a_name_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "player_mine.py").write_text("")
    assert resolve("mine", tmp_path).name == "player_mine"


def test_a_bot_in_the_folder_of_another_game_is_found_there(tmp_path: Path) -> None:
    root = tmp_path / "playerCode"
    (root / "smack").mkdir(parents=True)
    (root / "player_top.py").write_text("")
    (root / "smack" / "player_low.py").write_text("")
    for word, folder, game in (
        ("player_low", root, "smack"),
        ("top", root / "smack", "slime_mind"),
    ):
        with pytest.raises(BadBot) as found:
            resolve(word, folder)
        assert f"is in the folder of {game}: if it is a bot of that game, say -g {game}" in str(
            found.value
        )
        assert str(found.value).endswith(f"otherwise move it to {folder}")


def test_a_path_that_is_there_is_told_what_it_lacks_to_be_a_bot(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(BadBot, match=r"notes\.txt: no bot, which is a \.py file, or a folder with"):
        resolve(str(tmp_path / "notes.txt"), tmp_path)
    for name in "abcdefg":
        (tmp_path / f"{name}.py").write_text("")
    with pytest.raises(BadBot, match=r"lie in it: a\.py, b\.py, c\.py, d\.py, e\.py, and 2 more$"):
        resolve(str(tmp_path), tmp_path)
