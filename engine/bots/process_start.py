"""Starting and ending a worker's process: the parts common to all launchers."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from engine.errors import EngineFailure

ROOT = Path(__file__).resolve().parents[2]

# -P and a clean environment: nothing beside a bot, and no variable, changes what is imported.
# A fixed hash seed: set order in a bot is the same in every playing of a match.
PYTHON = (sys.executable, "-s", "-P", "-c")
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
START_CODE = (
    "import sys; sys.path.insert(0, sys.argv[2]); "
    "from engine.bots.{0} import main; main(int(sys.argv[1]))"
)


class Needs(NamedTuple):
    """What a worker needs of what is put around it."""

    reads: tuple[Path, ...]
    """The files and folders that it reads besides Python."""
    memory_mb: int
    tasks: int = 8
    """Processes and threads: a Python worker is one, and the rest is for libraries."""
    game: str = ""
    """What it plays; '' for what is no bot's."""
    has_numpy: bool = False
    """Whether it begins with numpy imported, as that takes longer than all else of a start."""


@contextmanager
def as_engine_failure() -> Iterator[None]:
    """Raise an EngineFailure for what the system refuses: that is no bot's fault."""
    try:
        yield
    except OSError as error:
        raise EngineFailure(f"no process for a bot could be started: {error}") from error


def send_signal(pid: int, name: str) -> None:
    """Send it where there is such a signal, and the process still lives."""
    if hasattr(signal, name):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.Signals[name])


def kill_group(pid: int) -> None:
    """Kill all of a worker's session. A pid of 0 would be our own group: never."""
    assert pid > 0
    if sys.platform != "win32":
        # By its pid as well: just after the fork a worker does not lead its group yet.
        for kill in (os.kill, os.killpg):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
