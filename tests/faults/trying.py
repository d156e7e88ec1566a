"""Tries seeded faults on copies of the project, and says which of them a test catches."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from enum import StrEnum
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.faults.seeded import SeededFault, faulty_path
from tests.template import memory

LEFT_OUT = shutil.ignore_patterns(
    *(".git", ".venv", ".hypothesis", ".*_cache", "*.pyc.*", "*.egg-info"),
    *("node_modules", "results"),
)
ENVIRONMENT = ".venv"
TIMEOUT_S = 300
"""The most that the tests of a fault may take; who is not done by then has noticed something."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?::.+?|\S+)(?: - .*)?$", re.MULTILINE)
PASSED, FAILURES, INTERRUPTED = 0, 1, 2
"""Exit codes of pytest; 2 also where a module of tests could not be imported."""


class Result(StrEnum):
    CAUGHT = "caught"
    MISSED = "missed"
    NOT_APPLICABLE = "does not apply (text changed)"
    NOT_TESTED = "not tested"
    """Its tests could not be run."""


class Trial(NamedTuple):
    """What came out when a fault was tried."""

    fault: SeededFault
    result: Result
    detail: str
    """The first test that failed, or why there was none."""
    seconds: float

    def __str__(self) -> str:
        by = f" ({self.detail})" if self.detail else ""
        return f"{self.seconds:5.1f} s  {self.result}{by}: {self.fault.name}"


class Run(NamedTuple):
    """What pytest said; its code is None where it did not end in time."""

    code: int | None
    output: str


class Copy:
    """A copy of the project, in which one fault at a time is tried."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self.folder = folder
        self._command = command
        self._seconds = count(int(time.time()))

    def run(self, tests: Iterable[str], *, is_first_enough: bool) -> Run:
        words = [*self._command, *(["-x"] if is_first_enough else []), *tests]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return Run(None, "")
        finally:
            with suppress(ProcessLookupError):  # what its tests started goes with it
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return Run(process.returncode, output)

    def attempt(self, fault: SeededFault) -> Trial:
        """Apply a fault, run its tests, and undo it."""
        began = time.monotonic()
        path = faulty_path(self.folder, fault)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        changed = fault.apply_to(text)
        if changed is None:
            return Trial(fault, Result.NOT_APPLICABLE, "", 0.0)
        self._write(path, changed)
        try:
            result, detail = judge(self.run(fault.tests, is_first_enough=True))
        finally:
            self._write(path, text)
        return Trial(fault, result, detail, time.monotonic() - began)

    def _write(self, path: Path, text: str) -> None:
        """Write a file, dated a second later than any before: so its old bytecode is not used.

        Python tells bytecode that is out of date by the size of the file and its time in seconds.
        """
        path.write_text(text, encoding="utf-8")
        moment = next(self._seconds)
        os.utime(path, (moment, moment))


def judge(run: Run) -> tuple[Result, str]:
    failed = FAILED.search(run.output)
    if run.code is None:
        return Result.CAUGHT, "its tests did not end"
    if run.code == PASSED:
        return Result.MISSED, ""
    if run.code in (FAILURES, INTERRUPTED) and failed:
        return Result.CAUGHT, failed[1]
    return Result.NOT_TESTED, f"pytest ended with {run.code}"


@contextmanager
def copies(home: Path, number: int, command: Sequence[str]) -> Iterator[list[Copy]]:
    """Make so many copies of a project, which go with the block."""
    with TemporaryDirectory(prefix="slime-mind-faults-", dir=memory()) as folder:
        made = []
        for place in range(number):
            own = Path(folder) / str(place)
            shutil.copytree(home, own, ignore=LEFT_OUT, symlinks=True)
            if (home / ENVIRONMENT).exists():
                (own / ENVIRONMENT).symlink_to(home / ENVIRONMENT)
            made.append(Copy(own, command))
        yield made


def attempt_all(copies: Sequence[Copy], faults: Iterable[SeededFault]) -> Iterator[Trial]:
    """Yield what came of each fault, in their order; as many at once as there are copies."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def attempt(fault: SeededFault) -> Trial:
        copy = free.get()
        try:
            return copy.attempt(fault)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as threads:
        yield from threads.map(attempt, faults)


def pytest_command() -> list[str]:
    """Return the words that run tests of a copy, in one process."""
    return [
        *(sys.executable, "-m", "pytest", "-n0", "-q", "--tb=no", "-rfE", "--timeout=120"),
        *("-p", "no:cacheprovider", "-m", "not slow and not exhaustive"),
    ]
