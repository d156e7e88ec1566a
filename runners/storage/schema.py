"""Which revision the tables of a database have, and how older ones are upgraded.

A new database gets the tables as they are now. An older one is upgraded by the steps in
migrations/, one after the other, in one transaction; one from before the baseline is refused.
The file of a SQLite database is made whole, private, and not begun anew where one was lost.
"""

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from errno import EDQUOT, ENOSPC
from importlib import import_module
from pathlib import Path
from secrets import token_hex

from sqlalchemy import Connection, insert, inspect, select, update

from engine.errors import EngineFailure, UsageError
from engine.support.extras import how_to_install
from engine.support.files import atomic_write, make_private, wrap_write_errors, write_private_file
from runners.storage.database import Database, DiskFull
from runners.storage.game_tables import games  # noqa: F401
from runners.storage.ladder_tables import fixtures  # noqa: F401
from runners.storage.tables import about, matches, tables

LOGGER = logging.getLogger("slime_mind.server.upgrade")
BASELINE = 23
"""The oldest revision that is upgraded: no version with an older one was published."""
LAST_WITH_OLDER = "b86e7b49"
"""The last commit that upgrades older ones, to the baseline."""
MIGRATION_STEPS: tuple[str, ...] = (
    "without_copies",
    "one_table_of_entries",
    "with_rooms",
    "one_table_of_contests",
)
"""The modules of migrations/; each leads to the next revision, the first from the baseline."""
REVISION = BASELINE + len(MIGRATION_STEPS)
"""The revision of the tables as they are now."""
FORMER_ABOUT = "alembic_version"
"""The table in which databases that held results alone had their revision."""


def ensure_schema(database: Database) -> None:
    """Make the tables, or upgrade older ones. Current ones are only read.

    Raises: UsageError for a database of a newer version, of one before the baseline, of something
    else, or that was lost; DiskFull, EngineFailure.
    """
    try:
        _ensure_schema(database)
    except EngineFailure as error:
        if not is_of_full_disk(error):
            raise
        raise DiskFull(_disk_full_message(database)) from error


def _ensure_schema(database: Database) -> None:
    path = database.path
    if path is not None:
        _ensure_file(database, path)
    with database.reading() as connection:
        revision = _read_revision(connection, database)
        if revision is None and path is not None and database.use.is_private:
            require_not_lost(path, is_empty=False)
    if revision == REVISION:
        return
    with database.transaction() as connection:
        revision = _read_revision(connection, database)  # another process may have been first
        if revision is None:
            _make_tables(connection)
        elif revision < REVISION:
            _save_copy(database)
            _upgrade(connection, revision)


def _save_copy(database: Database) -> None:
    """Keep a database as it is before an upgrade, or say how to. Raises: EngineFailure."""
    name = f"before_revision_{REVISION}"
    if database.path is None:
        command = f"pg_dump -Fc -f {name}.dump '{database.url.replace('+psycopg', '')}'"
        advice = f"no copy is kept of a PostgreSQL database: make one before an upgrade ({command})"
    else:
        copy = database.path.with_name(f"{database.path.stem}.{name}{database.path.suffix}")
        copy_file(database.path, copy, is_private=database.use.is_private)
        advice = f"as it was it is kept in {copy}: remove that once all is well"
    LOGGER.warning("%s: is upgraded to revision %s; %s", database.name, REVISION, advice)


def _disk_full_message(database: Database) -> str:
    full = f"{database.name}: the disk is full, and nothing was changed"
    if database.path is None:
        return f"{full}: make room on the disk of its server, and start again"
    needed = ""
    if database.path.exists():
        needed = f" (for an upgrade {2 * database.path.stat().st_size / 1e6:.1f} MB)"
    return f"{full}: make room in {database.path.parent}{needed}, and start again"


def _ensure_file(database: Database, path: Path) -> None:
    """Make a database's file unless there is one. Raises: UsageError for one that was lost."""
    is_private = database.use.is_private
    if not path.exists():
        make_file(path, lambda beside: _make_tables_in(beside, database), is_private=is_private)
    elif is_private and not path.stat().st_size:  # before SQLite looks, which would drop its log
        require_not_lost(path, is_empty=True)
    if is_private:
        restrict_access(path)


def _make_tables_in(path: Path, like: Database) -> None:
    with closing(Database(path, like.use)) as database:
        database.name = like.name  # in what is said of errors
        with database.transaction() as connection:
            _make_tables(connection)


def _make_tables(connection: Connection) -> None:
    tables.create_all(connection, checkfirst=False)
    connection.execute(insert(about).values(revision=REVISION))


def _upgrade(connection: Connection, revision: int) -> None:
    for step in MIGRATION_STEPS[revision - BASELINE :]:
        _run(connection, step, "upgrade")
    connection.execute(update(about).values(revision=REVISION))


def downgrade(connection: Connection, revision: int) -> None:
    """Take tables back to an older revision; what only newer ones hold is lost.

    Raises: UsageError for a revision that they cannot be taken back to.
    """
    present = connection.execute(select(about.c.revision)).scalar_one()
    if not BASELINE <= revision <= present <= REVISION:
        raise UsageError(
            f"revision {revision}: the tables are of revision {present}, and can be taken back to "
            f"one from {BASELINE} to that"
        )
    for step in reversed(MIGRATION_STEPS[revision - BASELINE : present - BASELINE]):
        _run(connection, step, "downgrade")
    connection.execute(update(about).values(revision=revision))


def _run(connection: Connection, step: str, direction: str) -> None:
    """Run a function of a step. Raises: UsageError where alembic is not installed."""
    try:  # imported here: new and current databases do without, and it takes a while
        from alembic.migration import MigrationContext
        from alembic.operations import Operations
    except ImportError as error:
        raise UsageError(
            "the database was written by an older version; to bring it up to date, alembic is "
            f"needed: {how_to_install('postgres')}"
        ) from error
    with Operations.context(MigrationContext.configure(connection)):
        getattr(import_module(f"{__package__}.migrations.{step}"), direction)()


def _read_revision(connection: Connection, database: Database) -> int | None:
    """Return the revision of the tables; None for a database without tables.

    Raises: UsageError for tables that are neither ours nor can be upgraded.
    """
    present = inspect(connection).get_table_names()
    if not present:
        return None
    if about.name in present:
        # The first version wrote it after its tables: one that was killed there has none.
        revision: int = connection.execute(select(about.c.revision)).scalar() or 1
    elif {FORMER_ABOUT, matches.name}.issubset(present):
        revision = 0
    else:
        raise UsageError(
            f"{database.name}: holds something else than results and games; choose another "
            f"database with {database.use.option}, or another folder with --out"
        )
    if revision > REVISION:
        raise UsageError(
            f"{database.name}: was written by a newer version (its tables are of revision "
            f"{revision}, these of {REVISION}); install that version"
        )
    if revision < BASELINE:
        raise UsageError(
            f"{database.name}: was written by a version whose tables are not upgraded any more "
            f"(older than revision {BASELINE}), and nothing was changed; open it once with commit "
            f"{LAST_WITH_OLDER} of this program, which upgrades them, and then with this one"
        )
    return revision


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
    with wrap_write_errors(path), _temporary_beside(path) as beside:
        if is_private:
            write_private_file(beside)
        fill(beside)
        if beside.with_name(f"{beside.name}-wal").exists():  # SQLite closed it in silence
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        _publish(beside, path)


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
