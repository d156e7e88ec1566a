"""Locks between processes. They end with whoever holds them, however that ends."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from os.path import samestat
from pathlib import Path
from typing import TextIO

from sqlalchemy import Engine, text

from engine.errors import EngineFailure
from engine.files import make_folder

with suppress(ImportError):  # Windows, where nobody is kept out
    from fcntl import LOCK_EX, LOCK_NB, flock

HOLDERS = text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND (classid::bigint << 32 | objid::bigint) = :number"
)


class Held(Exception):
    """Somebody else has the lock; who that is."""


def ourselves() -> str:
    """Who we are, for the others."""
    return f"process {os.getpid()} on {socket.gethostname()}"


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Hold a lock file, which is gone afterwards.

    Raises: Held; UsageError or EngineFailure where it cannot be written.
    """
    if os.name != "posix":
        yield
        return
    make_folder(path.parent)
    with _locked_file(path) as file:
        try:
            _sign(file, path)
            yield
        finally:
            path.unlink(missing_ok=True)


def _sign(file: TextIO, path: Path) -> None:
    try:
        os.truncate(file.fileno(), 0)
        os.write(file.fileno(), ourselves().encode())
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror}") from error


def _locked_file(path: Path) -> TextIO:
    """Ours, and still the one that others would find: the last holder removes it."""
    while True:
        file = path.open("a+")
        try:
            flock(file, LOCK_EX | LOCK_NB)
            if path.exists() and samestat(path.stat(), os.fstat(file.fileno())):
                return file
        except BlockingIOError as error:
            file.seek(0)
            raise Held(file.read() or "somebody else") from error
        file.close()


@contextmanager
def advisory_lock(engine: Engine, name: str) -> Iterator[None]:
    """Hold a lock of a PostgreSQL server, on a connection of its own. Raises: Held."""
    number = int.from_bytes(sha256(name.encode()).digest()[:7])  # fits its signed 64 bits
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        trying = text("SELECT pg_try_advisory_lock(:number)")
        if not connection.execute(trying, {"number": number}).scalar():
            who = connection.execute(HOLDERS, {"number": number}).scalar()
            raise Held(who or "somebody else")
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:number)"), {"number": number})
