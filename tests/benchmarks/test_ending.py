"""What benchmarks start ends with them, however they end."""

import signal
import subprocess
import sys

import pytest

import bootstrap
from tests import needs
from tests.processes import is_alive, kill, list_children
from tests.shell import ENVIRONMENT, eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180), needs.PROC]


def below(pid: int) -> set[int]:
    """The children of a process, and theirs."""
    found: set[int] = set()
    for child in list_children(pid):
        found |= {child} | below(child)
    return found


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGINT"])
def test_the_hogs_of_an_ended_benchmark_end_with_it(name: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks", "T6", "--quick"],
        cwd=bootstrap.HOME,
        env=ENVIRONMENT,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    started: set[int] = set()
    try:
        assert eventually(lambda: len(below(process.pid)) >= 8)
        started = below(process.pid)
        process.send_signal(signal.Signals[name])
        assert process.wait(100) != 0
        assert eventually(lambda: not any(map(is_alive, started)))
    finally:
        process.kill()
        for pid in started:
            if is_alive(pid):
                kill(pid)
