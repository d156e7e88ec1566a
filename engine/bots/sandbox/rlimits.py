"""Resource limits of a worker, set by the worker on itself."""

import sys
from mmap import PAGESIZE

from engine.bots.log import MAX_LOG_BYTES
from engine.bots.sandbox.process import read_proc

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
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_FSIZE, MAX_LOG_BYTES)
        limit(resource.RLIMIT_NOFILE, OPEN_FILES)
        limit(resource.RLIMIT_CPU, cpu_s)
        limit(resource.RLIMIT_MEMLOCK, 0)
        limit(resource.RLIMIT_NPROC, 0)
        if sys.platform == "linux":  # macOS knows no message queues, and ignores RLIMIT_AS
            limit(resource.RLIMIT_MSGQUEUE, 0)
            mapped_pages = int(read_proc("/proc/self/statm").split()[0])
            limit(resource.RLIMIT_AS, mapped_pages * PAGESIZE + memory_mb * MEGABYTE)


def limit(what: int, value: int) -> None:
    """Set a limit of this process for good, or leave one that is lower."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(what)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (most, most))
