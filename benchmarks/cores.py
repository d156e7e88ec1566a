"""The core that a measurement runs on. Where a platform cannot pin processes, nothing is pinned."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

CAN_PIN = hasattr(os, "sched_setaffinity")


def cores() -> list[int]:
    """Return the cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if CAN_PIN else list(range(os.cpu_count() or 1))


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
