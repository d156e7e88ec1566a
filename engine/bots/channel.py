"""A worker's two pipes at the engine's end: lines out, lines in, never waiting without end."""

import os
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from engine.bots.wire import SHORT_BYTES

READ_BYTES = 1 << 16
MAX_QUEUED_CHUNKS = 16
"""How many parts of answers wait to be looked at, each of READ_BYTES at most."""


class Closed(Exception):
    """The worker's end is closed: its process is gone, or closed it."""


class TooLong(Exception):
    """An answer is longer than allowed."""

    def __init__(self, part: bytes) -> None:
        super().__init__()
        self.part = part
        """What came last of it."""


Poll = Callable[[float | None], list[tuple[int, int]]]
"""Waits so many milliseconds for descriptors, and returns those that are ready."""


class Channel(Protocol):
    """Lines of bytes to a worker and back."""

    def send(self, line: bytes, timeout_ms: float) -> bool:
        """Write it all; return False if the worker did not read in time. Raises: Closed."""

    def receive(self, timeout_ms: float, most: int) -> bytes:
        """Return what comes within this time: a line, what was sent of one, or nothing.

        Raises: Closed, TooLong.
        """

    def close(self) -> None: ...


class PollChannel:
    """Two pipes and `poll`: a round trip in microseconds (POSIX)."""

    _can_read: Poll
    _can_write: Poll

    def __init__(self, reader: int, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        # A worker that does not read, or drips, must never hold the engine.
        if sys.platform != "win32":  # which has no select.poll
            os.set_blocking(reader, False)
            os.set_blocking(writer, False)
            incoming, outgoing = select.poll(), select.poll()
            incoming.register(reader, select.POLLIN)
            outgoing.register(writer, select.POLLOUT)
            # Looked up once: they are called for every order.
            self._can_read = incoming.poll
            self._can_write = outgoing.poll

    def send(self, line: bytes, timeout_ms: float) -> bool:
        deadline = None
        while True:
            try:
                written = os.write(self._writer, line)
            except BlockingIOError:
                written = 0
            except OSError as error:
                raise Closed from error
            if written == len(line):
                return True
            line = line[written:]
            # Asked for only where a pipe is full: most lines fit, and a clock costs time.
            deadline = deadline or time.monotonic() + timeout_ms / 1000
            if not self._can_write(max(0, deadline - time.monotonic()) * 1000):
                return False

    def receive(self, timeout_ms: float, most: int) -> bytes:
        # A worker on our core mostly had its turn before we came back from writing to it.
        try:
            line = os.read(self._reader, SHORT_BYTES)
        except BlockingIOError:
            if not self._comes_within(timeout_ms):
                return b""
            line = os.read(self._reader, SHORT_BYTES)
        if not line:
            raise Closed
        if len(line) == SHORT_BYTES:
            with suppress(BlockingIOError):
                line += os.read(self._reader, READ_BYTES)
        if len(line) > most:
            raise TooLong(line)
        return line

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)

    def _comes_within(self, timeout_ms: float) -> bool:
        """Wait for input. `poll` waits whole milliseconds; the fraction of one is slept through."""
        if timeout_ms < 1:
            time.sleep(timeout_ms / 1_000)
            timeout_ms = 0
        return bool(self._can_read(int(timeout_ms)))


class ThreadChannel:
    """The same over pipes that cannot be polled (Windows): two threads wait in our place."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        # Bounded, so that a worker that babbles cannot fill the engine's memory.
        self._came: queue.Queue[bytes] = queue.Queue(MAX_QUEUED_CHUNKS)
        self._going: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._is_closed = False
        for work in (self._read_ahead, self._write_behind):
            threading.Thread(target=work, daemon=True).start()

    def send(self, line: bytes, timeout_ms: float) -> bool:
        """Queue a line: a worker that does not read is found by what it does not answer."""
        self._going.put(line)
        return True

    def receive(self, timeout_ms: float, most: int) -> bytes:
        try:
            line = self._came.get(timeout=timeout_ms / 1000)
        except queue.Empty:
            return b""
        if not line:
            raise Closed
        if len(line) > most:
            raise TooLong(line)
        return line

    def close(self) -> None:
        """Call it once the worker is dead: each thread sees its pipe end, and closes it."""
        self._is_closed = True
        self._going.put(b"")
        with suppress(queue.Empty):
            while True:
                self._came.get_nowait()

    def _read_ahead(self) -> None:
        content = b"more"
        while content and not self._is_closed:
            try:
                content = os.read(self._reader, READ_BYTES)
            except OSError:
                content = b""
            self._came.put(content)
        os.close(self._reader)

    def _write_behind(self) -> None:
        with suppress(OSError):  # its reader is gone: so is the worker, or its answer will not come
            while line := self._going.get():
                while line:
                    line = line[os.write(self._writer, line) :]
        os.close(self._writer)
