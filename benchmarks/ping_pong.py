"""The yardstick: a bare Python ping-pong over two pipes on one core.

Two `os.pipe`, `os.write` and `os.read`, and `select.poll` for the deadline: what asking
another process costs before anything is decided, checked, told or recorded.
"""

import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

# About the size of an ask with two events, and of its answer.
ASK = b"a" * 95 + b"\n"
ANSWER = b"b" * 23 + b"\n"
DEADLINE_MS = 50
READ_BYTES = 1 << 16


def round_trip_us(rounds: int) -> float:
    """Return the time of a round trip, us. Pin before calling: the other end inherits the core."""
    with _other_end() as (reader, writer):
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        began = time.perf_counter()
        for _ in range(rounds):
            os.write(writer, ASK)
            poll.poll(DEADLINE_MS)
            os.read(reader, READ_BYTES)
        return (time.perf_counter() - began) / rounds * 1e6


@contextmanager
def _other_end() -> Iterator[tuple[int, int]]:
    """Start a process that answers; return the pipes to read and to write."""
    to_other, from_other = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        _answer(to_other[0], from_other[1])
    try:
        yield from_other[0], to_other[1]
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        for descriptor in (*to_other, *from_other):
            os.close(descriptor)


def _answer(reader: int, writer: int) -> NoReturn:
    while os.read(reader, READ_BYTES):
        os.write(writer, ANSWER)
    os._exit(0)
