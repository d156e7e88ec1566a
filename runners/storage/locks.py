"""Locks between processes of one machine. They end with whoever holds them, however that ends."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from os.path import samestat
from pathlib import Path
from typing import TextIO

from engine.support.files import make_folder, wrap_write_errors

if sys.platform != "win32":  # where nobody is kept out
    from fcntl import LOCK_EX, LOCK_NB, flock

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
        with _open_locked(path) as file:
            try:
                _write_holder(file, path)
                yield
            finally:
                path.unlink(missing_ok=True)


def _write_holder(file: TextIO, path: Path) -> None:
    with wrap_write_errors(path):
        os.truncate(file.fileno(), 0)
        os.write(file.fileno(), f"{process_name()}, since {datetime.now(UTC):{SINCE}}".encode())


def _open_locked(path: Path) -> TextIO:
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
