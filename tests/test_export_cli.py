"""Exporting from the command line: what it says, and how it ends when somebody ends it."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests import needs
from tests.golden.record import replay_path
from tests.shell import Shell, eventually, finish

REPLAY = str(replay_path("small"))


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("exporting"))


def test_a_picture_is_made_of_a_turn(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "turn.png"
    arguments = ("--export", str(path), "--turn", "7", "--size", "640x360")
    done = shell.run(REPLAY, *arguments, tool="replay.py")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{path}: turn 7, 640x360, ")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_it_goes_together_with_other_things_to_do(shell: Shell, tmp_path: Path) -> None:
    arguments = ("--export", str(tmp_path / "a.png"), "--info", "--verify", "--print", "3")
    done = shell.run(REPLAY, *arguments, tool="replay.py")
    assert done.code == 0
    assert all(word in done.out for word in ("a.png: turn 60", "rules version", "event for event"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--export", "a.avi"], "a.avi: no such export; possible endings are: .png, .gif"),
        (["--export", "a.png", "--turn", "61"], "--turn 61: "),
        (["--export", "a.png", "--fps", "3"], "--fps is for .gif, .webp, .mp4, not for .png"),
        (["--export", "a.gif", "--from", "9", "--to", "3"], "--from 9 comes after --to 3"),
        (
            ["--export", "a.gif", "--size", "big"],
            "'big' is not a size; expected WIDTHxHEIGHT, such",
        ),
        (["--export", "a.gif", "--size", "9x9"], "--size 9x9: too small"),
        (["--export", "engine"], "engine: no such export"),
        (["--export", "/dev/null/a.png"], "/dev/null/a.png: cannot be written: "),
        (["--fps", "3"], "--fps needs --export FILE"),
        ([REPLAY, "--export", "a.png"], "--export is for one match"),
    ],
    ids=str,
)
def test_a_mistake_is_told_in_a_sentence(shell: Shell, arguments: list[str], message: str) -> None:
    before = set(shell.home.iterdir())
    done = shell.run(REPLAY, *arguments, tool="replay.py")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert set(shell.home.iterdir()) == before


def test_a_folder_is_no_file(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.png").mkdir()
    done = shell.run(REPLAY, "--export", str(tmp_path / "a.png"), tool="replay.py")
    assert done.code == 2
    assert "a.png: is a folder; name a file in it" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "ending", ["gif", "webp", pytest.param("mp4", marks=needs.program("ffmpeg"))]
)
@pytest.mark.parametrize("stop", ["SIGINT", "SIGTERM"])
def test_ctrl_c_leaves_no_half_file_and_no_process(
    shell: Shell, tmp_path: Path, ending: str, stop: str
) -> None:
    path = tmp_path / f"clip.{ending}"
    arguments = (REPLAY, "--export", str(path), "--speed", "0.2", "--size", "1280x720")
    process = shell.start(*arguments, tool="replay.py")
    assert eventually(lambda: list(tmp_path.iterdir()))  # it has begun to write
    os.killpg(process.pid, signal.Signals[stop])
    done = finish(process)
    assert (done.code, done.err.strip()) == (130, "stopped")
    assert list(tmp_path.iterdir()) == []
    assert eventually(lambda: not find_encoders(path))


def find_encoders(path: Path) -> list[str]:
    """Processes that have anything to do with a folder."""
    processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, text=True)
    return [line for line in processes.stdout.splitlines() if str(path.parent) in line]
