"""The file of a SQLite database: made whole, private, and not begun anew where one was lost."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path
from secrets import token_hex

from engine.errors import EngineFailure, UsageError
from engine.support.files import atomic_write, make_private, write_private_file

BESIDE = ("-wal", "-shm", "-journal")
"""Ends of the names of the files that belong to a database in use."""
TRACE_FOLDERS = ("bots", "matches")
"""Folders of a server that has been used, in that of its database."""
TOKEN_BYTES = 4


DATABASE = "games.sqlite"
"""The name of a server's file in the folder of --out."""


def make_file(path: Path, fill: Callable[[Path], object], *, is_private: bool) -> None:
    """Make a database's file unless there is one by then; `fill` makes the tables of a new one.

    It has its name only once it has its tables: a kill in between leaves none that looks lost.
    Raises: EngineFailure where it cannot be written, and whatever `fill` raises.
    """
    try:
        with _temporary_beside(path) as beside:
            if is_private:
                write_private_file(beside)
            fill(beside)
            if beside.with_name(f"{beside.name}-wal").exists():  # SQLite closed it in silence
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            _publish(beside, path)
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror or error}") from error


def copy_file(path: Path, copy: Path, *, is_private: bool) -> None:
    """Copy a database as it is at one moment, whoever uses it; the copy is one file.

    Raises: EngineFailure.
    """
    try:
        with (
            atomic_write(copy, is_private=is_private) as beside,
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(beside)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise EngineFailure(f"{path}: cannot be copied: {error}") from error


def is_of_full_disk(error: EngineFailure) -> bool:
    """Return whether a database could not be written, or even read, since a disk was full."""
    cause: object = getattr(error.__cause__, "orig", error.__cause__)
    return (
        getattr(cause, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_IOERR_SHM"))
        or getattr(cause, "sqlstate", "") == "53100"  # as PostgreSQL calls it
        or (isinstance(cause, OSError) and cause.errno in (ENOSPC, EDQUOT))
    )


def restrict_access(path: Path) -> None:
    """Let nobody else read a database, whenever it was made."""
    for name in (path.name, *(f"{path.name}{end}" for end in BESIDE)):
        make_private(path.with_name(name))


def require_not_lost(path: Path, *, is_empty: bool) -> None:
    """Raises: UsageError for a file that is empty, or has no tables, beside what a server left."""
    traces = [name for name in TRACE_FOLDERS if _holds_something(path.parent / name)]
    log = path.with_name(f"{path.name}-wal")
    traces += [log.name] if log.exists() and log.stat().st_size else []
    if traces:
        state = "is empty" if is_empty else "holds no tables"
        raise UsageError(
            f"{path}: {state}, and beside it there is what a server left ({', '.join(traces)}): it "
            "looks as if its accounts and games were lost, by a full disk or a copy that was cut "
            f"off. Nothing was changed. {REMEDIES.format(path=path)}"
        )


REMEDIES = (
    "Restore a backup into an empty folder (admin restore BACKUP.zip --out FOLDER) and serve that; "
    "or remove {path} to begin a new server, without accounts"
)


@contextmanager
def _temporary_beside(path: Path) -> Iterator[Path]:
    beside = path.with_name(f".{path.name}-{token_hex(TOKEN_BYTES)}")
    try:
        yield beside
    finally:
        for name in (beside.name, *(f"{beside.name}{end}" for end in BESIDE)):
            beside.with_name(name).unlink(missing_ok=True)


def _publish(beside: Path, path: Path) -> None:
    """Give a file its name, unless another process was first."""
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not path.exists():
            beside.rename(path)
    _write_through(path.parent)


def _write_through(folder: Path) -> None:
    """Let a new name survive a power cut, as what is written to the file does."""
    with suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _holds_something(folder: Path) -> bool:
    return folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir())
