"""A bot may say a megabyte, and `print` never fails."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.bots.log import LOG_BYTES, LOG_FULL, MAX_LOG_BYTES, NO_SPACE, BotLog, keep_log, open_log
from tests import needs
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.matches import DUEL, QUICK, Arena, a_bot


@pytest.fixture
def opened() -> Iterator[BinaryIO]:
    with open_log() as log:
        yield log


@pytest.fixture
def log(opened: BinaryIO) -> BotLog:
    return BotLog(opened.fileno())


@pytest.fixture
def stream(log: BotLog) -> io.TextIOWrapper:
    """Return the bot's stdout."""
    return log.open_stream()


@pytest.fixture
def kept(opened: BinaryIO, tmp_path: Path) -> Callable[[], bytes]:
    """Return what is kept of a log when its match is over; nothing where there is no file."""

    def keep() -> bytes:
        path = tmp_path / "1-bot.log"
        keep_log(opened, path)
        return path.read_bytes() if path.exists() else b""

    return keep


Kept = Callable[[], bytes]


def test_each_ask_that_prints_gets_one_heading(
    log: BotLog, stream: io.TextIOWrapper, kept: Kept
) -> None:
    log.place = lambda piece_id: f"turn 3, slime {piece_id}"
    log.asked_piece_id = 7
    print("one", 2, file=stream)
    print("three", file=stream)
    log.asked_piece_id = 8
    log.asked_piece_id = 9
    print("four", file=stream)
    assert kept() == b"--- turn 3, slime 7\none 2\nthree\n--- turn 3, slime 9\nfour\n"


def test_past_a_megabyte_the_rest_is_dropped_with_one_note(
    stream: io.TextIOWrapper, kept: Kept
) -> None:
    for _ in range(30):
        print("x" * 99_999, file=stream)
    content = kept().decode()
    assert content.count(LOG_FULL) == 1
    assert content.endswith(LOG_FULL)
    assert len(content) == LOG_BYTES + len(LOG_FULL)


def test_a_full_log_stays_full_for_the_worker_that_comes_after(
    stream: io.TextIOWrapper, opened: BinaryIO, kept: Kept
) -> None:
    print("x" * 2 * LOG_BYTES, file=stream)
    print("more", file=BotLog(opened.fileno()).open_stream())
    assert len(kept()) == LOG_BYTES + len(LOG_FULL)


@pytest.mark.parametrize("text", ["\ud800", "\0\x1b[2J", "", "\U0001f40c" * 300_000])
def test_whatever_is_printed_is_taken(text: str, stream: io.TextIOWrapper, kept: Kept) -> None:
    assert stream.write(text) == len(text)
    # Half a letter at the end takes three bytes, as what stands for it does.
    assert len(kept()) <= LOG_BYTES + len(LOG_FULL) + 3


def test_closing_and_detaching_a_stream_leaves_the_log_open(log: BotLog, kept: Kept) -> None:
    out, errors = log.open_stream(), log.open_stream()
    out.detach()
    errors.close()
    print("still heard", file=errors)
    log.write_text("a traceback\n")
    assert kept() == b"still heard\na traceback\n"


def test_the_streams_of_a_bot_are_what_python_says_of_text_streams(
    arena: Arena, steady: Path, tmp_path: Path
) -> None:
    bot = a_bot(
        tmp_path,
        """
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            assert isinstance(stream, io.TextIOBase) and not stream.isatty()
            assert (stream.encoding, stream.errors) == ("utf-8", "backslashreplace")
            os.fstat(stream.fileno())
            stream.buffer.write("bytes ä\\n".encode())
            stream.reconfigure(encoding="latin-1", errors="replace", line_buffering=True)
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
            io.TextIOWrapper(stream.buffer, encoding="utf-8").write("wrapped ö\\n")
            print("€", file=stream, flush=True)
            stream.writelines(["one\\n", "two\\n"])
        faulthandler.dump_traceback()
        codecs.getwriter("utf-8")(sys.stdout.buffer).write("encoded\\n")
        assert sys.stdin.read() == ""
        return "UP"
        """,
        top="import codecs, faulthandler, io, os, sys\nfaulthandler.enable()",
    )
    result = arena.play(bot, steady)
    assert result.faults == 0, result.teams[0].details
    said = "bytes ä\nwrapped ö\n€\none\ntwo\n" * 4
    first = arena.log(result).partition("--- ")[2].partition("--- ")[0]
    assert first.startswith(f"turn 1, slime 1\n{said}Current thread ")
    assert first.endswith("encoded\n")


def test_print_does_not_fail_when_the_log_is_gone(
    stream: io.TextIOWrapper, opened: BinaryIO
) -> None:
    opened.close()
    assert stream.write("unheard") == len("unheard")
    print("again", file=stream, flush=True)


@needs.call("os.memfd_create")
def test_no_way_of_writing_makes_a_log_larger_than_its_bound(opened: BinaryIO) -> None:
    def flood() -> None:
        while True:
            opened.write(b"y" * 100_000)

    stretches = (
        lambda: os.ftruncate(opened.fileno(), 1 << 40),
        lambda: os.posix_fallocate(opened.fileno(), 0, 1 << 40),
        lambda: os.pwrite(opened.fileno(), b"far away", 1 << 40),
        flood,
    )
    for stretch in stretches:
        with pytest.raises(PermissionError):
            stretch()
    assert os.fstat(opened.fileno()).st_size == MAX_LOG_BYTES


def test_a_bot_that_reads_its_place_off_its_log_finds_none(opened: BinaryIO) -> None:
    piece_id = os.fstat(opened.fileno())
    assert piece_id.st_nlink == 0
    if sys.platform == "linux":
        assert Path(f"/proc/self/fd/{opened.fileno()}").readlink() == Path("/memfd:log (deleted)")


def test_a_log_that_is_kept_cannot_command_a_terminal(opened: BinaryIO, kept: Kept) -> None:
    opened.write(b"fine\tso far\n\x1b[2Jred\xff\x07\n\xe2\x80\xae\xc3\xa9\n")
    assert kept().decode() == "fine\tso far\n?[2Jred\ufffd?\n?\u00e9\n"


def test_an_empty_log_is_none(kept: Kept) -> None:
    assert kept() == b""


def test_on_a_disk_that_is_nearly_full_a_log_gives_way(
    stream: io.TextIOWrapper, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    print("a word", file=stream)
    monkeypatch.setattr("engine.bots.log.FREE_BYTES", 1 << 62)
    assert kept().decode() == NO_SPACE


def test_a_log_that_finds_no_room_is_dropped_whole(
    stream: io.TextIOWrapper, opened: BinaryIO
) -> None:
    print("a word", file=stream)
    full = Path("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        full.write_text("a word")
    keep_log(opened, full)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """One of 3 MB, which only root can make."""
    with needs.disk(tmp_path / "disk", "size=3m") as disk:
        yield disk


def test_bots_that_flood_their_logs_on_a_nearly_full_disk_play_their_matches(
    small_disk: Path,
) -> None:
    arena = Arena(small_disk)
    flooder = bad_bot_path("floods_stdout")
    results = [arena.play(flooder, flooder, limits=QUICK, seed=seed) for seed in (1, 2, 3)]
    arena.referee.close()
    for result in results:
        assert result.turns == DUEL.max_turns
        assert {arena.log(result, team) for team in (1, 2)} == {NO_SPACE}


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
    log = arena.log(arena.play(bad_bot_path("floods_stdout"), steady, limits=QUICK))
    assert log.count(LOG_FULL) == 1
    assert len(log) <= 2 * LOG_BYTES
