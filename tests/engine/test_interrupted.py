"""What is kept of interrupted matches, how it is found, and how long it stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import BadReplay
from engine.replays.interrupted import (
    InterruptedMatch,
    adopt_former_folder,
    find_interrupted,
    forget,
    recover,
    save_interrupted,
)
from engine.replays.reading import Replay
from engine.result_folder import REPLAY, OutName, ResultFolder
from engine.support.staging import StagingFolder
from tests import needs
from tests.engine.recorded import read_lines, record, write

pytestmark = needs.FLOCK

KEY = "0123456789abcdef"


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("whole") / REPLAY
    record(path)
    return read_lines(path)


@pytest.fixture
def result_folder(tmp_path: Path) -> Path:
    result_folder = tmp_path / ResultFolder.INTERRUPTED_MATCHES
    result_folder.mkdir()
    return result_folder


def staging_folder(
    result_folder: Path, lines: list[bytes], *, key: str = KEY, token: str = "1" * 8
) -> Path:
    """Make what a process left that is gone."""
    folder = result_folder / f".{key}-{token}"
    folder.mkdir()
    write(folder / REPLAY, lines)
    return folder


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read_saved_lines(result_folder: Path, key: str = KEY) -> list[bytes]:
    return read_lines(result_folder / key / REPLAY)


def test_what_was_played_is_kept_under_its_key_with_its_logs(
    result_folder: Path, lines: list[bytes]
) -> None:
    folder = staging_folder(result_folder, lines[:40])
    (folder / "1-loud.log").write_text("here")
    replay = result_folder / KEY / REPLAY
    match = save_interrupted(folder)
    assert match == InterruptedMatch(key=KEY, turn=Replay(replay).last_turn, replay=replay)
    assert match.turn > 1
    assert names_in(result_folder) == [KEY]
    assert names_in(result_folder / KEY) == ["1-loud.log", REPLAY]
    assert (result_folder / KEY / "1-loud.log").read_text() == "here"


@pytest.mark.parametrize("content", [None, b"", b"Dear diary"], ids=["none", "empty", "no replay"])
def test_a_match_of_which_nothing_can_be_read_is_not_kept(
    result_folder: Path, content: bytes | None
) -> None:
    folder = result_folder / f".{KEY}-11111111"
    folder.mkdir()
    if content is not None:
        (folder / REPLAY).write_bytes(content)
    assert save_interrupted(folder) is None


def test_a_match_in_which_nobody_was_asked_is_not_kept(
    result_folder: Path, lines: list[bytes]
) -> None:
    first = next(number for number, line in enumerate(lines) if b'["!"' in line)
    assert save_interrupted(staging_folder(result_folder, lines[:first])) is None


@pytest.mark.parametrize(
    ("first", "second", "stays"), [(40, 50, 50), (50, 40, 50)], ids=["farther", "less far"]
)
def test_the_playing_that_came_farther_is_kept(
    result_folder: Path, lines: list[bytes], first: int, second: int, stays: int
) -> None:
    save_interrupted(staging_folder(result_folder, lines[:first]))
    match = save_interrupted(staging_folder(result_folder, lines[:second], token="2" * 8))
    assert read_saved_lines(result_folder) == lines[:stays]
    assert match is not None
    assert match.turn == Replay(result_folder / KEY / REPLAY).last_turn


def test_only_the_latest_are_kept(
    result_folder: Path, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replays.interrupted.MAX_SAVED_MATCHES", 3)
    for number in range(5):
        folder = staging_folder(result_folder, lines[:40], key=f"{number}")
        os.utime(folder / REPLAY, (number, number))
        save_interrupted(folder)
    assert names_in(result_folder) == ["2", "3", "4"]


def test_a_match_that_came_to_its_end_is_kept_no_more(
    result_folder: Path, lines: list[bytes]
) -> None:
    save_interrupted(staging_folder(result_folder, lines[:40]))
    forget(result_folder.parent, KEY)
    forget(result_folder.parent, KEY)
    assert names_in(result_folder) == []


# -- recovering ----------------------------------------------------------------------------------


def test_what_dead_processes_left_is_recovered_once_and_rubbish_removed(
    result_folder: Path, lines: list[bytes]
) -> None:
    staging_folder(result_folder, lines[:40])
    staging_folder(result_folder, lines[:30], token="2" * 8)
    staging_folder(result_folder, lines[:1], key="other")
    assert {match.key for match in recover(result_folder.parent)} == {KEY}
    assert names_in(result_folder) == [KEY]
    assert read_saved_lines(result_folder) == lines[:40]
    assert recover(result_folder.parent) == []


def test_a_match_that_is_being_played_is_not_recovered(
    result_folder: Path, lines: list[bytes]
) -> None:
    playing = StagingFolder(result_folder / KEY)
    playing.make()
    write(playing.path / REPLAY, lines[:40])
    assert recover(result_folder.parent) == []
    assert playing.path.exists()
    playing.drop()


PLAYS = """
import sys, time
from pathlib import Path
from engine.result_folder import REPLAY
from engine.support.staging import StagingFolder

playing = StagingFolder(Path(sys.argv[1]))
playing.make()
(playing.path / REPLAY).write_bytes(Path(sys.argv[2]).read_bytes())
print("playing", flush=True)
time.sleep(60)
"""


def test_a_match_is_recovered_once_its_process_was_killed(
    result_folder: Path, lines: list[bytes], tmp_path: Path
) -> None:
    replay = write(tmp_path / "half", lines[:40])
    parts = [sys.executable, "-c", PLAYS, str(result_folder / KEY), str(replay)]
    process = subprocess.Popen(parts, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    assert recover(tmp_path) == []
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert [match.key for match in recover(tmp_path)] == [KEY]


# -- the folder of older versions --------------------------------------------------------------


def test_what_an_older_version_kept_is_found_under_the_new_name(
    tmp_path: Path, lines: list[bytes]
) -> None:
    former = tmp_path / OutName.FORMER_INTERRUPTED
    former.mkdir()
    save_interrupted(staging_folder(former, lines[:40]))
    staging_folder(former, lines[:30], key="abandoned")
    assert {match.key for match in recover(tmp_path)} == {"abandoned"}
    assert find_interrupted(tmp_path, "abandoned").exists()
    assert read_saved_lines(tmp_path / ResultFolder.INTERRUPTED_MATCHES) == lines[:40]
    assert not former.exists()


def test_what_an_older_version_kept_or_still_plays_is_never_overwritten_or_lost(
    result_folder: Path, lines: list[bytes]
) -> None:
    former = result_folder.with_name(str(OutName.FORMER_INTERRUPTED))
    former.mkdir()
    save_interrupted(staging_folder(result_folder, lines[:40]))
    save_interrupted(staging_folder(former, lines[:30]))
    playing = StagingFolder(former / KEY)
    playing.make()
    adopt_former_folder(result_folder.parent)
    assert read_saved_lines(result_folder) == lines[:40]
    assert read_saved_lines(former) == lines[:30]
    assert playing.path.exists()
    playing.drop()


# -- finding -------------------------------------------------------------------------------------


@pytest.fixture
def two(result_folder: Path, lines: list[bytes]) -> Path:
    """Results with two interrupted matches, `abc` before `abd`."""
    for number, key in enumerate(("abc", "abd")):
        folder = staging_folder(result_folder, lines[:40], key=key)
        os.utime(folder / REPLAY, (number, number))
    return result_folder.parent


@pytest.mark.parametrize(("word", "key"), [("", "abd"), ("abc", "abc"), ("abd", "abd")])
def test_a_match_is_found_by_its_first_letters_or_is_the_latest(
    two: Path, word: str, key: str
) -> None:
    assert find_interrupted(two, word) == two / ResultFolder.INTERRUPTED_MATCHES / key / REPLAY


def test_a_match_is_found_by_its_file_or_its_folder(two: Path, tmp_path: Path) -> None:
    recover(two)
    replay = two / ResultFolder.INTERRUPTED_MATCHES / "abc" / REPLAY
    assert find_interrupted(tmp_path / "elsewhere", str(replay)) == replay
    assert find_interrupted(tmp_path / "elsewhere", str(replay.parent)) == replay


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("ab", "several begin with it; there are: abc, abd"),
        ("x", "none begins with it; there are: abc, abd"),
        ("x" * 300, "none begins with it; there are: abc, abd"),
        ("../*", "no such file, and of the interrupted matches"),
    ],
)
def test_a_word_that_means_no_match_is_refused_with_what_there_is(
    two: Path, word: str, message: str
) -> None:
    with pytest.raises(BadReplay, match=message):
        find_interrupted(two, word)


def test_where_nothing_was_interrupted_there_is_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(BadReplay, match=r"interrupted: no interrupted match to resume$"):
        find_interrupted(tmp_path, "")
