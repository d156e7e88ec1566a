"""Ends what a test session has started if the session itself is killed (Linux).

A session that ends by itself ends what it has started. One that is killed cannot: this process
outlives it, and kills whatever has the session's folder in its environment.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROUNDS, PAUSE_S = 50, 0.1
"""How often is looked for processes: those that are killed may just have started others."""


@contextmanager
def reaped(variable: str, folder: str) -> Iterator[None]:
    """Have all that is started from now on killed if this process is.

    `variable`: the environment variable of this process whose value is `folder`, which is removed.
    """
    if not hasattr(os, "pidfd_open"):
        yield
        return
    parts = [sys.executable, "-S", __file__, str(os.getpid()), variable, folder]
    reaper = subprocess.Popen(parts, stdin=subprocess.DEVNULL, cwd="/", start_new_session=True)
    try:
        yield
    finally:
        reaper.kill()
        reaper.wait()


def wait_and_reap(parent: int, variable: str, folder: str) -> None:
    """Wait for the end of a process, and kill what it has left."""
    with suppress(ProcessLookupError):
        select.select([os.pidfd_open(parent)], [], [])
    for _ in range(ROUNDS):
        left = processes_with(f"{variable}={folder}")
        if not left:
            break
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE_S)
    shutil.rmtree(folder, ignore_errors=True)


def processes_with(setting: str) -> list[int]:
    """Return the other processes that began with `NAME=VALUE` in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if os.fsencode(setting) in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


if __name__ == "__main__":
    wait_and_reap(int(sys.argv[1]), *sys.argv[2:])
