"""The core that a measurement runs on. Where a platform cannot pin processes, nothing is pinned."""

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CAN_PIN = hasattr(os, "sched_setaffinity")
CPU_INFO = Path("/proc/cpuinfo")


def cores() -> list[int]:
    """Return the cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if CAN_PIN else list(range(os.cpu_count() or 1))


def machine() -> str:
    """Return what figures were measured on: "AMD EPYC, 2 cores, Linux 6.1.0, Python 3.11.2"."""
    cpu = platform.processor() or platform.machine()
    with suppress(OSError):
        named = re.search(r"^model name\s*: (.*)$", CPU_INFO.read_text(), re.MULTILINE)
        cpu = cpu if named is None else named[1]
    system = f"{platform.system()} {platform.release()}"
    return f"{cpu}, {len(cores())} cores, {system}, Python {platform.python_version()}"


def pin(core: int) -> None:
    """Run this process, and all that it starts from now on, on one core."""
    if CAN_PIN:
        os.sched_setaffinity(0, {core})


@contextmanager
def one_core() -> Iterator[int]:
    """Pin this process for a while to the last core: the first does most of the system's work."""
    given = cores()
    pin(given[-1])
    try:
        yield given[-1]
    finally:
        if CAN_PIN:
            os.sched_setaffinity(0, given)
