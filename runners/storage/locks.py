"""Locks between processes. They end with whoever holds them, however that ends."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from os.path import samestat
from pathlib import Path
from typing import TextIO

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from engine.errors import EngineFailure
from engine.files import make_folder

if sys.platform != "win32":  # where nobody is kept out
    from fcntl import LOCK_EX, LOCK_NB, flock

HOLDERS = text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND (classid::bigint << 32 | objid::bigint) = :number"
)


SINCE = "%Y-%m-%d %H:%M UTC"


class LockHeld(Exception):
    """Another process holds the lock; the message names it."""


def process_name() -> str:
    """Return what other processes are told of the holder of a lock."""
    return f"process {os.getpid()} on {socket.gethostname()}"


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Hold a lock file, which is gone afterwards.

    Raises: LockHeld; UsageError or EngineFailure where it cannot be written.
    """
    if sys.platform == "win32":
        yield
    else:
        # The file stays open, as the system releases the lock with it, however the process ends.
        make_folder(path.parent)
        with _locked_file(path) as file:
            try:
                _write_holder(file, path)
                yield
            finally:
                path.unlink(missing_ok=True)


def _write_holder(file: TextIO, path: Path) -> None:
    try:
        os.truncate(file.fileno(), 0)
        os.write(file.fileno(), f"{process_name()}, since {datetime.now(UTC):{SINCE}}".encode())
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror}") from error


def _locked_file(path: Path) -> TextIO:
    """Return the locked file that others would find, too: the last holder may have removed ours."""
    while True:  # until the file that we locked is the one that has the name
        file = path.open("a+")
        try:
            if sys.platform != "win32":
                flock(file, LOCK_EX | LOCK_NB)
            if path.exists() and samestat(path.stat(), os.fstat(file.fileno())):
                return file
        except BlockingIOError as error:
            file.seek(0)
            raise LockHeld(file.read() or "somebody else") from error
        file.close()


def acquire(connection: Connection, name: str) -> None:
    """Take a lock of a PostgreSQL server, which this session holds to its end. Raises: LockHeld."""
    number = {"number": _number(name)}
    if not connection.execute(text("SELECT pg_try_advisory_lock(:number)"), number).scalar():
        who = connection.execute(HOLDERS, number).scalar()
        raise LockHeld(who or "somebody else")
    connection.commit()  # the lock outlives the transaction


def release(connection: Connection, name: str) -> None:
    """Give a lock back, unless the session that held it has ended."""
    if not connection.invalidated:
        with suppress(DBAPIError):  # it has ended, and its lock with it
            connection.execute(
                text("SELECT pg_advisory_unlock(:number)"), {"number": _number(name)}
            )


def _number(name: str) -> int:
    """Return what PostgreSQL knows a lock by; it fits its signed 64 bits."""
    return int.from_bytes(sha256(name.encode()).digest()[:7])
