"""What Linux says of processes. Any of them may end while it is asked."""

import os
import signal
from contextlib import suppress
from pathlib import Path


def read_command(pid: int) -> bytes:
    """Return the command line of a process; b'' if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def parent_pid(pid: int) -> int:
    """Return the pid of a process's parent; 0 if it has ended."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text()
        return int(stat.rpartition(")")[2].split()[1])
    return 0


def list_children(pid: int) -> list[int]:
    """Return the children of a process, of all its threads; those that end meanwhile may miss."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):  # the thread has ended
                found += map(int, (task / "children").read_text().split())
    return found


def is_alive(pid: int) -> bool:
    """Return whether a process still runs; one that only waits to be reaped does not."""
    with suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def kill(pid: int, number: int | None = None) -> None:
    """Send a signal to a process, if it has not ended; None: SIGKILL, where there is one."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL if number is None else number)
