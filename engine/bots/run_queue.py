"""How long a thread has waited for a processor: what the queue of the kernel says (Linux)."""

from pathlib import Path
from typing import NamedTuple

Nanoseconds = int

IS_QUEUE_WAIT_KNOWN = Path("/proc/self/schedstat").exists()
"""Whether sleeping and waiting for a processor can be told apart (Linux)."""
FEW_SLICES, SLICES_PER_MS = 20, 10
"""How often a call may begin to wait, and how much oftener for each millisecond that it works. Who
works is put off once in a while; who sleeps for a moment, again and again, chooses to wait."""


class RunQueue(NamedTuple):
    """What a thread has waited for a processor since it began."""

    wait_ns: Nanoseconds
    slices: int
    """How often it was given a processor."""


NO_WAIT = RunQueue(0, 0)


class QueueWaits(NamedTuple):
    """The waits of a worker, and of the thread of the engine that asks it."""

    worker: RunQueue
    engine: RunQueue

    @property
    def wait_ns(self) -> Nanoseconds:
        return self.worker.wait_ns + self.engine.wait_ns


def run_queue_of(thread: int) -> RunQueue:
    """Return how long a thread has waited for a processor since it began (Linux; else nothing).

    A process is known by its first thread. Source: the second and third number of
    /proc/ID/schedstat.
    """
    try:
        _, wait_ns, slices = map(int, Path(f"/proc/{thread}/schedstat").read_text().split())
    except (OSError, ValueError):  # another system; it has ended; a kernel without the figures
        return NO_WAIT
    return RunQueue(wait_ns, slices)


def involuntary_wait_ns(before: QueueWaits, now: QueueWaits, used_ms: float) -> Nanoseconds:
    """Return the waits meanwhile, as far as the worker did not choose them.

    Of more slices than its CPU time explains, their share counts.
    """
    most = FEW_SLICES + SLICES_PER_MS * max(0.0, used_ms)
    return sum(_counted(*pair, most) for pair in zip(before, now, strict=True))


def _counted(before: RunQueue, now: RunQueue, most: float) -> Nanoseconds:
    wait_ns = max(0, now.wait_ns - before.wait_ns)
    slices = now.slices - before.slices
    return wait_ns if slices <= most else int(wait_ns * most / slices)
