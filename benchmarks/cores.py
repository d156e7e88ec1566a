"""Which core a measurement runs on. Where a platform cannot pin, nothing is pinned."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

CAN_PIN = hasattr(os, "sched_setaffinity")


def cores() -> list[int]:
    """The cores we were given."""
    return sorted(os.sched_getaffinity(0)) if CAN_PIN else list(range(os.cpu_count() or 1))


def pin(core: int) -> None:
    """Run on one core from now on, with all that is started from now on."""
    if CAN_PIN:
        os.sched_setaffinity(0, {core})


@contextmanager
def one_core() -> Iterator[int]:
    """Pinned while it lasts, to the last core: the first one is busiest with the system's work."""
    given = cores()
    pin(given[-1])
    try:
        yield given[-1]
    finally:
        if CAN_PIN:
            os.sched_setaffinity(0, given)
