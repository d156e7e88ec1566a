"""How the processes that run tests have ended, where one did in the midst of a test.

xdist says that one has ended, and in which test. What ended it may have nothing to do with that
test: another process that killed it, or the system, which was out of memory.
"""

import signal
import subprocess
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 10
VMSTAT = Path("/proc/vmstat")


def count_out_of_memory_kills() -> int:
    """Return how many processes the system has killed for want of memory since it began (Linux)."""
    with suppress(OSError):
        for line in VMSTAT.read_text().splitlines():
            name, _, number = line.partition(" ")
            if name == "oom_kill":
                return int(number)
    return 0


BEFORE = count_out_of_memory_kills()


def ending(process: "subprocess.Popen[bytes]") -> str:
    """Return in words how a process has ended, whose end of a pipe is closed."""
    try:
        code = process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        return "still runs, though what it sends cannot be read any more"
    killed = count_out_of_memory_kills() - BEFORE
    memory = f"; the system has killed {killed} processes meanwhile, for want of memory"
    return _in_words(code) + (memory if killed else "")


def _in_words(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"
