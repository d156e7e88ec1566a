"""The suite itself: it can be run from anywhere."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import bootstrap

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
IGNORED = (signal.SIGINT, signal.SIGTERM) + ((signal.SIGHUP,) if os.name == "posix" else ())


def be_deaf() -> None:
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, IGNORED)


@pytest.mark.variants(1)
@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
@pytest.mark.parametrize(
    "workers",
    [pytest.param(["-n", "0"], marks=pytest.mark.slow), ["-n", "1"]],
    ids=["here", "in a worker"],
)
def test_it_hears_signals_though_it_was_started_where_they_are_ignored(
    workers: Sequence[str], tmp_path: Path
) -> None:
    folder = bootstrap.HOME / "tests"
    (tmp_path / "test_hearing.py").write_text(HEARING)
    (tmp_path / "conftest.py").write_text((folder / "conftest.py").read_text(encoding="utf-8"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, str(tmp_path)],
        cwd=bootstrap.HOME,
        check=False,
        preexec_fn=be_deaf,
        capture_output=True,
        text=True,
    )
    assert "4 passed" in done.stdout, done.stdout + done.stderr
