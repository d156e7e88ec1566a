"""One server at a time serves a SQLite file: a second would show boards that stand still.

Processes of a PostgreSQL server are told of each other's changes; those of a file are not.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from engine.errors import UsageError
from engine.support.files import write_whole
from runners.storage.database import sqlite_file
from runners.storage.locks import LockHeld, file_lock

LOCK, ADDRESS = "server", "address"


@contextmanager
def server_lock(where: Path | str, what_to_do: str) -> Iterator[None]:
    """Hold a database that is a file as its only server; `where`: a file, or a URL.

    Raises: UsageError while another process serves it, with `what_to_do`.
    """
    path = sqlite_file(where)
    with ExitStack() as stack:
        if path is not None:
            try:
                stack.enter_context(file_lock(_file_beside(path, LOCK)))
            except LockHeld as held:
                raise UsageError(f"{path}: is being served by {held}; {what_to_do}") from held
        yield


@contextmanager
def publish_address(where: Path | str, base: str) -> Iterator[None]:
    """Keep the address of a server beside the lock of its file while it serves."""
    path = sqlite_file(where)
    if path is not None:
        write_whole(_file_beside(path, ADDRESS), base.encode())
    try:
        yield
    finally:
        if path is not None:
            _file_beside(path, ADDRESS).unlink(missing_ok=True)


def find_server_address(where: Path | str) -> str:
    """Return the address of the server of a file; '' where none serves it."""
    path = sqlite_file(where)
    with suppress(OSError, UnicodeDecodeError):
        return "" if path is None else _file_beside(path, ADDRESS).read_text(encoding="utf-8")
    return ""


def _file_beside(path: Path, what: str) -> Path:
    """Return a file beside a database: hidden, as backups leave such files out."""
    return path.with_name(f".{path.stem}-{what}")
