"""How much processor time a worker has used, as its engine sees it."""

import sys
import time
from collections.abc import Callable
from functools import partial

Nanoseconds = int
CpuClock = Callable[[], Nanoseconds]

CAN_READ_CPU = sys.platform == "linux"


def cpu_clock_of(pid: int) -> CpuClock:
    """A clock of the CPU time of another process.

    Source: Linux makes a clock id of a pid (clock_getcpuclockid(3)). Where there is none,
    wall time stands in: a bot then answers for the time it waited for a processor too.
    """
    if not CAN_READ_CPU:
        return time.perf_counter_ns
    return partial(time.clock_gettime_ns, (~pid << 3) | 2)
