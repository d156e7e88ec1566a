"""Which processor core a match is played on."""

import os
import random
import socket
import sys
from contextlib import suppress


def available_cores() -> list[int]:
    """Return the cores this process may use; without affinity, as many numbers as cores."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(core: int) -> None:
    """Keep this process, and the workers it will start, on one core where that can be asked.

    A round trip to a worker is four times as fast there as across cores.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


def pin_anywhere() -> None:
    """Pin to a random core, so that matches started side by side by hand tend to differ."""
    pin(random.SystemRandom().choice(available_cores()))


def pin_beside_others() -> socket.socket | None:
    """Pin to a core that no other process took in this way; it is ours until the socket is closed.

    None where there is none, or where cores cannot be taken (Linux only).
    """
    if sys.platform != "linux":
        return None
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        for core in available_cores():
            taken = socket.socket(socket.AF_UNIX)
            with suppress(OSError):  # a name that is no file, and goes with its process
                taken.bind(f"\0slime-mind core {core}")
                pin(core)
                return taken
            taken.close()
        return None
