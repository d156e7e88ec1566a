"""Resource limits of a worker, set by the worker on itself."""

import sys
from mmap import PAGESIZE
from pathlib import Path

from engine.bots.log import MAX_LOG_BYTES

if sys.platform != "win32":  # where no layer is put on
    import resource

MEGABYTE = 1 << 20
OPEN_FILES = 64


def limit_resources(*, memory_mb: int, cpu_s: int) -> None:
    """Limit memory beyond what is held already, CPU, descriptors, and the size of a file.

    Raises: OSError, always on Windows.
    """
    if sys.platform == "win32":
        raise OSError("Windows has no setrlimit")
    else:  # noqa: RET506 - mypy finds unreachable what follows a check without it
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, MAX_LOG_BYTES)
        _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
        _limit(resource.RLIMIT_CPU, cpu_s)
        _limit(resource.RLIMIT_MEMLOCK, 0)
        _limit(resource.RLIMIT_NPROC, 0)
        if sys.platform == "linux":  # macOS knows no message queues, and ignores RLIMIT_AS
            _limit(resource.RLIMIT_MSGQUEUE, 0)
            _limit(resource.RLIMIT_AS, _address_space() + memory_mb * MEGABYTE)


if sys.platform != "win32":

    def _limit(what: int, value: int) -> None:
        _, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(what, (value, value))


def _address_space() -> int:
    """Return the bytes mapped by this process."""
    pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    return pages * PAGESIZE
