"""The suite itself: it can be run from anywhere."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import bootstrap
from benchmarks import chromium as browsers
from tests import crashes, needs
from tests.cpu_times import read_long_tests
from tests.reaper import processes_with
from tests.shell import ENVIRONMENT, eventually

HEARING = """
import os, signal, subprocess, sys
import pytest

def test_a_signal_reaches_us():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()

@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_reaches_what_we_start(number):
    sleeper = subprocess.Popen(["sleep", "60"])
    sleeper.send_signal(number)
    assert sleeper.wait() == -number
"""
LEAVING = """
import subprocess, time
from pathlib import Path

def test_something_that_is_started():
    sleeper = subprocess.Popen(["sleep", "600"], start_new_session=True)
    path = Path(__file__).with_name("pid")
    path.with_suffix(".new").write_text(str(sleeper.pid))
    path.with_suffix(".new").rename(path)
    time.sleep(600)
"""
KILLED = """
import os, signal, sys
from benchmarks import chromium
from tests.cpu_times import read_long_tests
from tests.reaper import processes_with

with chromium.chromium():
    print(len(processes_with(sys.argv[1])), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
IGNORED = (signal.SIGINT, signal.SIGTERM) + ((signal.SIGHUP,) if os.name == "posix" else ())


def be_deaf() -> None:
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, IGNORED)


@pytest.mark.variants(1)
@needs.call("signal.pthread_sigmask")
@pytest.mark.parametrize(
    "workers",
    [pytest.param(["-n", "0"], marks=pytest.mark.slow), ["-n", "1"]],
    ids=["here", "in a worker"],
)
def test_it_hears_signals_though_it_was_started_where_they_are_ignored(
    workers: Sequence[str], tmp_path: Path
) -> None:
    done = subprocess.run(
        session(tmp_path, HEARING, *workers),
        cwd=bootstrap.HOME,
        check=False,
        preexec_fn=be_deaf,
        capture_output=True,
        text=True,
    )
    assert "4 passed" in done.stdout, done.stdout + done.stderr


@needs.call("os.pidfd_open")
def test_a_session_that_is_killed_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    killed = subprocess.Popen(
        session(tmp_path, LEAVING, "-n", "1"),
        cwd=bootstrap.HOME,
        env={**os.environ, "TMPDIR": str(room)},
        stdout=subprocess.DEVNULL,
    )
    assert eventually((tmp_path / "pid").exists)
    sleeper = int((tmp_path / "pid").read_text())
    killed.kill()
    killed.wait()
    assert eventually(lambda: not Path(f"/proc/{sleeper}").exists())
    assert eventually(lambda: list(room.iterdir()) == [])


def test_other_modules_run_event_loops_while_the_browser_waits(one_chromium: Any) -> None:
    assert one_chromium.loop.is_running()
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"


@needs.call("os.pidfd_open")
@needs.program(*browsers.NAMES)
def test_the_browser_ends_with_a_process_of_tests_that_is_killed(tmp_path: Path) -> None:
    variable, value = "BROWSER_OF_TESTS", str(tmp_path)
    mark = f"{variable}={value}"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, mark],
        cwd=bootstrap.HOME,
        env={**os.environ, variable: value},
        check=False,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert int(killed.stdout) > 1
    assert eventually(lambda: processes_with(mark) == [])


@needs.call("signal.SIGKILL")
@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "gw0 was ended by SIGKILL"),
        ("os._exit(3)", "gw0 ended with exit code 3"),
    ],
)
def test_it_is_told_how_a_process_ended_that_ran_a_test(
    end: str, message: str, tmp_path: Path
) -> None:
    code = f"import os, signal\n\ndef test_something():\n    {end}\n"
    done = subprocess.run(
        session(tmp_path, code, "-n", "1", "--max-worker-restart", "0"),
        cwd=bootstrap.HOME,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert message in done.stdout.splitlines(), done.stdout


def test_a_process_that_ended_while_the_system_wanted_memory_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crashes, "BEFORE", crashes.count_out_of_memory_kills() - 2)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    assert crashes.ending(ended) == (
        "ended with exit code 0; the system has killed 2 processes meanwhile, for want of memory"
    )


@pytest.mark.slow
@needs.program("Xvfb", package="xvfb")
def test_windows_are_closed_before_their_screen_ends() -> None:
    """The first of these tests asks for spare windows before it asks for a screen."""
    names = (
        "more_pictures_than_the_atlas_holds_are_drawn_anew",
        "every_piece_is_drawn_on_its_square",
    )
    tests = [f"tests/visualizer/backends/arcade/test_window.py::test_{name}" for name in names]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests],
        cwd=bootstrap.HOME,
        env=ENVIRONMENT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, "2 passed" in done.stdout) == (0, True), done.stdout


def session(folder: Path, tests: str, *options: str) -> list[str]:
    """Return the command that runs a file of tests, in a folder of its own, as ours are run."""
    (folder / "test_of_the_suite.py").write_text(tests)
    conftest = bootstrap.HOME / "tests" / "conftest.py"
    (folder / "conftest.py").write_text(conftest.read_text(encoding="utf-8"))
    alone = ("-q", "-p", "no:cacheprovider")
    return [sys.executable, "-m", "pytest", *alone, *options, str(folder)]


def test_the_long_tests_that_are_listed_are_there() -> None:
    texts = {path: path.read_text() for path in bootstrap.HOME.glob("tests/**/test_*.py")}
    for listed in read_long_tests():
        file, _, name = listed.partition("::")
        name = name.rpartition("::")[2]
        text = texts[bootstrap.HOME / file]
        assert name in ("", "runTest") or f"def {name}(" in text, listed
