"""One transaction for all that a request reads, in place of one for each thing it looks up.

Each transaction costs several round trips to a database server, and each sees another moment.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

Connect = Callable[[], Connection]
MAX_SHARED = 10
"""Requests that keep a connection to one database while they wait, as for a thread. Others are left
for those who give theirs back before they wait: else all threads could wait for connections, and
all who have one for a thread."""


class Reader:
    """How a database is read."""

    def __init__(self, connect: Connect) -> None:
        """`connect` makes a connection whose transaction has begun."""
        self.connect = connect
        self.room = threading.BoundedSemaphore(MAX_SHARED)
        """For requests that keep a connection."""


class SharedReading:
    """The connections by which a request reads, one for each database; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._connections: dict[Reader, Connection] = {}
        self._depth = 0
        """How many blocks read just now, one within the other."""
        self._is_stale = False
        self.is_over = False
        """Whether others read by connections of their own from now on."""
        self.is_used = False
        """Whether there may be anything to be ended."""

    @contextmanager
    def connection(self, reader: Reader) -> Iterator[Connection]:
        """Yield the connection to a database; one of its own where that cannot be shared."""
        # A connection is not for two threads at once, and a request may have several.
        if not self._lock.acquire(blocking=False):
            with own_reading(reader) as own:
                yield own
            return
        self.is_used = True
        try:
            shared = None if self.is_over else self._open_connection(reader)
            if shared is None:
                with own_reading(reader) as own:
                    yield own
            else:
                with self._track_use():
                    yield shared
        finally:
            self._lock.release()

    def refresh(self) -> None:
        """Read from here on what is in the databases by then."""
        if not self._lock.acquire(blocking=False):
            self._is_stale = True  # whoever reads just now ends it
            return
        try:
            self._is_stale = True
            self._end_if_stale()
        finally:
            self._lock.release()

    def end(self) -> None:
        """End the transactions; what is still read, on another thread, is read by its own."""
        with self._lock:
            self.is_over = self._is_stale = True
            self._end_if_stale()
            self.is_used = False

    def _open_connection(self, reader: Reader) -> Connection | None:
        """Return the connection that is kept; None where as many others are as may be."""
        connection = self._connections.get(reader)
        if connection is None and reader.room.acquire(blocking=False):
            try:
                connection = self._connections[reader] = reader.connect()
            except BaseException:
                reader.room.release()
                raise
        return connection

    @contextmanager
    def _track_use(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        except SQLAlchemyError:  # no statement is possible any more in its transaction
            self._is_stale = True
            raise
        finally:
            self._depth -= 1
            self._end_if_stale()

    def _end_if_stale(self) -> None:
        if not self._is_stale or self._depth:
            return
        self._is_stale = False
        connections, self._connections = self._connections, {}
        for reader, connection in connections.items():
            try:
                with connection:
                    _end_reading(connection)
            finally:
                reader.room.release()


@contextmanager
def own_reading(reader: Reader) -> Iterator[Connection]:
    """Yield a connection for the block alone."""
    with reader.connect() as connection:
        yield connection
        _end_reading(connection)


def _end_reading(connection: Connection) -> None:
    """End a transaction in which nothing was written, and nothing can get lost.

    With a rollback a driver would forget the statements that it has prepared.
    """
    with suppress(SQLAlchemyError):
        connection.commit()


_present: ContextVar[SharedReading | None] = ContextVar("shared_reading", default=None)


@contextmanager
def connection_for(reader: Reader) -> Iterator[Connection]:
    """Yield the connection by which the present request reads, or one for the block alone."""
    shared = _present.get()
    with own_reading(reader) if shared is None else shared.connection(reader) as connection:
        yield connection


def look_afresh() -> None:
    """Read what others have written meanwhile, too: the present request reads of a new moment."""
    shared = _present.get()
    if shared is not None:
        shared.refresh()


@contextmanager
def shared_reading() -> Iterator[SharedReading]:
    """Have all that is read in the block share one transaction, until that is ended."""
    shared = SharedReading()
    token = _present.set(shared)
    try:
        yield shared
    finally:
        _present.reset(token)
