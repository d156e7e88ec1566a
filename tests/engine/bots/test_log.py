"""A bot may say a megabyte, and `print` never fails."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.log import LOG_BYTES, NOTE, BotLog, clean_log
from tests.engine.bots.matches import BAD_BOTS, QUICK, Arena, a_bot


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bot.log"


@pytest.fixture
def log(file: Path) -> Iterator[BotLog]:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    yield BotLog(descriptor)
    os.close(descriptor)


def test_each_ask_that_prints_gets_one_heading(log: BotLog, file: Path) -> None:
    log.place = lambda about: f"turn 3, slime {about}"
    log.asked_about = 7
    print("one", 2, file=log)
    print("three", file=log)
    log.asked_about = 8
    log.asked_about = 9
    print("four", file=log)
    assert file.read_text() == ("--- turn 3, slime 7\none 2\nthree\n--- turn 3, slime 9\nfour\n")


def test_past_a_megabyte_the_rest_is_dropped_with_one_note(log: BotLog, file: Path) -> None:
    for _ in range(30):
        print("x" * 99_999, file=log)
    content = file.read_text()
    assert content.count(NOTE) == 1
    assert content.endswith(NOTE)
    assert len(content) == LOG_BYTES + len(NOTE)


def test_a_full_log_stays_full_for_the_worker_that_comes_after(log: BotLog, file: Path) -> None:
    print("x" * 2 * LOG_BYTES, file=log)
    size = file.stat().st_size
    second = os.open(file, os.O_WRONLY | os.O_APPEND)
    print("more", file=BotLog(second))
    os.close(second)
    assert file.stat().st_size == size


@pytest.mark.parametrize("text", ["\ud800", "\0\x1b[2J", "", "\U0001f40c" * 300_000])
def test_whatever_is_printed_is_taken(log: BotLog, file: Path, text: str) -> None:
    assert log.write(text) == len(text)
    assert len(file.read_bytes()) <= LOG_BYTES + len(NOTE)


def test_print_does_not_fail_when_the_log_is_gone(file: Path) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT)
    log = BotLog(descriptor)
    os.close(descriptor)
    print("unheard", file=log)
    print("again", file=log, flush=True)


def test_a_log_that_was_cleaned_cannot_command_a_terminal(file: Path) -> None:
    file.write_bytes(b"fine\tso far\n\x1b[2Jred\xff\x07\n\xe2\x80\xae\xc3\xa9\n")
    clean_log(file)
    assert file.read_text(encoding="utf-8") == "fine\tso far\n?[2Jred\ufffd?\n?\u00e9\n"


def test_an_empty_log_is_none(file: Path) -> None:
    file.touch()
    clean_log(file)
    assert not file.exists()


def test_the_log_of_a_match_is_clean_however_it_was_written(
    arena: Arena, steady: Path, tmp_path: Path
) -> None:
    bot = a_bot(
        tmp_path,
        """
        print("\\x1b[2Jprinted")
        os.write(2, b"\\x1b[2Jwritten\\n")
        return "UP"
        """,
        top="import os",
    )
    result = arena.play(bot, steady)
    log = (Path(result.folder) / "1-player_test.log").read_bytes()
    assert b"?[2Jprinted\n?[2Jwritten\n" in log
    assert b"\x1b" not in log


def test_nothing_a_bot_prints_reaches_us(
    arena: Arena, steady: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bot = a_bot(
        tmp_path,
        """
        print("printed")
        print("complained", file=sys.stderr)
        print("past Python's print", file=sys.__stdout__, flush=True)
        os.write(1, b"written to 1\\n")
        os.write(2, b"written to 2\\n")
        os.system("echo of a child")
        return "UP"
        """,
        top="import os, sys",
    )
    log = arena.log(arena.play(bot, steady))
    assert capfd.readouterr() == ("", "")
    assert log.startswith("--- turn 1, slime 1\nprinted\ncomplained\n")
    assert "written to 1\nwritten to 2\n" in log


def test_a_flood_ends_at_a_limit(arena: Arena, steady: Path) -> None:
    log = arena.log(arena.play(BAD_BOTS / "floods_stdout.py", steady, limits=QUICK))
    assert log.count(NOTE) == 1
    assert len(log) <= 2 * LOG_BYTES
