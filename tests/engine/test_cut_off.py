"""What is kept of matches that were cut off, how it is found, and how long it stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cut_off import CutOff, find_cut_off, forget, keep, rescue
from engine.errors import BadReplay
from engine.replay import Replay
from engine.shelves import REPLAY, Shelf
from engine.unfinished import Unfinished
from tests.engine.recorded import lines_of, record, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no locks on folders")

KEY = "0123456789abcdef"


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("whole") / REPLAY
    record(path)
    return lines_of(path)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    shelf = tmp_path / Shelf.CUT_OFF
    shelf.mkdir()
    return shelf


def unfinished(shelf: Path, lines: list[bytes], *, key: str = KEY, token: str = "1" * 8) -> Path:
    """What a process left that is gone."""
    folder = shelf / f".{key}-{token}"
    folder.mkdir()
    write(folder / REPLAY, lines)
    return folder


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def kept_lines(shelf: Path, key: str = KEY) -> list[bytes]:
    return lines_of(shelf / key / REPLAY)


def test_what_was_played_is_kept_under_its_key_with_clean_logs(
    shelf: Path, lines: list[bytes]
) -> None:
    folder = unfinished(shelf, lines[:40])
    (folder / "1-loud.log").write_text("here\x1b[2J")
    (folder / "2-quiet.log").touch()
    replay = shelf / KEY / REPLAY
    cut_off = keep(folder)
    assert cut_off == CutOff(key=KEY, turn=Replay(replay).last_turn, replay=replay)
    assert cut_off.turn > 1
    assert names_in(shelf) == [KEY]
    assert names_in(shelf / KEY) == ["1-loud.log", REPLAY]
    assert (shelf / KEY / "1-loud.log").read_text() == "here?[2J"


@pytest.mark.parametrize("content", [None, b"", b"Dear diary"], ids=["none", "empty", "no replay"])
def test_a_match_of_which_nothing_can_be_read_is_not_kept(
    shelf: Path, content: bytes | None
) -> None:
    folder = shelf / f".{KEY}-11111111"
    folder.mkdir()
    if content is not None:
        (folder / REPLAY).write_bytes(content)
    assert keep(folder) is None


def test_a_match_in_which_nobody_was_asked_is_not_kept(shelf: Path, lines: list[bytes]) -> None:
    first = next(number for number, line in enumerate(lines) if b'["!"' in line)
    assert keep(unfinished(shelf, lines[:first])) is None


@pytest.mark.parametrize(
    ("first", "second", "stays"), [(40, 50, 50), (50, 40, 50)], ids=["farther", "less far"]
)
def test_the_playing_that_came_farther_is_kept(
    shelf: Path, lines: list[bytes], first: int, second: int, stays: int
) -> None:
    keep(unfinished(shelf, lines[:first]))
    cut_off = keep(unfinished(shelf, lines[:second], token="2" * 8))
    assert kept_lines(shelf) == lines[:stays]
    assert cut_off is not None
    assert cut_off.turn == Replay(shelf / KEY / REPLAY).last_turn


def test_only_the_latest_are_kept(
    shelf: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cut_off.MOST_KEPT", 3)
    for number in range(5):
        folder = unfinished(shelf, lines[:40], key=f"{number}")
        os.utime(folder / REPLAY, (number, number))
        keep(folder)
    assert names_in(shelf) == ["2", "3", "4"]


def test_a_match_that_came_to_its_end_is_kept_no_more(shelf: Path, lines: list[bytes]) -> None:
    keep(unfinished(shelf, lines[:40]))
    forget(shelf.parent, KEY)
    forget(shelf.parent, KEY)
    assert names_in(shelf) == []


# -- rescue --------------------------------------------------------------------------------------


def test_what_dead_processes_left_is_rescued_once_and_rubbish_removed(
    shelf: Path, lines: list[bytes]
) -> None:
    unfinished(shelf, lines[:40])
    unfinished(shelf, lines[:30], token="2" * 8)
    unfinished(shelf, lines[:1], key="other")
    assert {cut_off.key for cut_off in rescue(shelf.parent)} == {KEY}
    assert names_in(shelf) == [KEY]
    assert kept_lines(shelf) == lines[:40]
    assert rescue(shelf.parent) == []


def test_a_match_that_is_being_played_is_not_rescued(shelf: Path, lines: list[bytes]) -> None:
    playing = Unfinished(shelf / KEY)
    playing.make()
    write(playing.path / REPLAY, lines[:40])
    assert rescue(shelf.parent) == []
    assert playing.path.exists()
    playing.drop()


PLAYS = """
import sys, time
from pathlib import Path
from engine.shelves import REPLAY
from engine.unfinished import Unfinished

playing = Unfinished(Path(sys.argv[1]))
playing.make()
(playing.path / REPLAY).write_bytes(Path(sys.argv[2]).read_bytes())
print("playing", flush=True)
time.sleep(60)
"""


def test_a_match_is_rescued_once_its_process_was_killed(
    shelf: Path, lines: list[bytes], tmp_path: Path
) -> None:
    replay = write(tmp_path / "half", lines[:40])
    words = [sys.executable, "-c", PLAYS, str(shelf / KEY), str(replay)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    assert rescue(tmp_path) == []
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert [cut_off.key for cut_off in rescue(tmp_path)] == [KEY]


# -- finding -------------------------------------------------------------------------------------


@pytest.fixture
def two(shelf: Path, lines: list[bytes]) -> Path:
    """Results with two matches that were cut off, `abc` before `abd`."""
    for number, key in enumerate(("abc", "abd")):
        folder = unfinished(shelf, lines[:40], key=key)
        os.utime(folder / REPLAY, (number, number))
    return shelf.parent


@pytest.mark.parametrize(("word", "key"), [("", "abd"), ("abc", "abc"), ("abd", "abd")])
def test_a_match_is_found_by_its_first_letters_or_is_the_latest(
    two: Path, word: str, key: str
) -> None:
    assert find_cut_off(two, word) == two / Shelf.CUT_OFF / key / REPLAY


def test_a_match_is_found_by_its_file_or_its_folder(two: Path, tmp_path: Path) -> None:
    rescue(two)
    replay = two / Shelf.CUT_OFF / "abc" / REPLAY
    assert find_cut_off(tmp_path / "elsewhere", str(replay)) == replay
    assert find_cut_off(tmp_path / "elsewhere", str(replay.parent)) == replay


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("ab", "several begin with it; there are: abc, abd"),
        ("x", "none begins with it; there are: abc, abd"),
        ("x" * 300, "none begins with it; there are: abc, abd"),
        ("../*", "no such file, and of the matches that were cut off"),
    ],
)
def test_a_word_that_means_no_match_is_refused_with_what_there_is(
    two: Path, word: str, words: str
) -> None:
    with pytest.raises(BadReplay, match=words):
        find_cut_off(two, word)


def test_where_nothing_was_cut_off_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    with pytest.raises(BadReplay, match=r"cut-off: no match was cut off that could go on$"):
        find_cut_off(tmp_path, "")
