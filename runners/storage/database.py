"""Opens, reads, writes and locks a database by its URL, and explains its errors."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Table,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from engine.errors import EngineFailure, UsageError
from engine.files import make_folder
from engine.privacy import is_shared, private_file
from runners.extras import how_to_install
from runners.storage.locks import acquire, file_lock, process_name, release
from runners.storage.schema import ensure_schema, is_current

BEGIN = "slime_mind_begin"
"""The option of an engine that says how SQLite begins its transactions."""
SCHEMA_LOCK = 7_341_977
"""The number of the lock under which PostgreSQL's tables are made; any will do."""
TIMEOUT_S = 10
"""How long to wait for a server to answer, or for another writer of a SQLite file."""
KEPT = "what was played is kept, and the same command resumes"


class Database:
    """What is committed outlives a kill; a power cut may cost the last moments, and no more.

    Raises: EngineFailure where it cannot be read or written.
    """

    def __init__(self, url: str) -> None:
        """Open or make the database, with our tables. Raises: UsageError where that cannot be."""
        self._url = _parsed(url)
        try:
            self._reader = _sqlite(self._url) if self.is_sqlite else _server(self._url)
        except (ArgumentError, ImportError) as error:
            raise UsageError(_no_database(error)) from error
        # Writers take their lock at once: a late one is refused if others wrote meanwhile.
        self._writer = self._reader.execution_options(**{BEGIN: "BEGIN IMMEDIATE"})
        self._lock_session: Connection | None = None
        """The session of a server that holds a lock."""
        self._was_reached = False
        self._ensure_schema()

    @property
    def is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    @property
    def shown(self) -> str:
        """Return the URL without its password."""
        return _without_password(self._url)

    def close(self) -> None:
        self._reader.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._explaining_errors("read"), self._reader.connect() as connection:
            self._was_reached = True
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Run a block as one transaction.

        Who holds a lock of a server writes through the session that holds it: if that has ended
        somebody else may have the lock, and nothing is written.
        """
        with self._explaining_errors("written"):
            if self._lock_session is None:
                with self._writer.begin() as connection:
                    yield connection
                return
            if self._lock_session.invalidated:  # SQLAlchemy would connect once more
                raise EngineFailure(f"{self.shown}: the lock was lost; {KEPT}")
            with self._lock_session.begin():
                yield self._lock_session

    def insert_new(self, connection: Connection, table: Table, row: dict[str, object]) -> bool:
        """Add a row unless there is one under its key; whether it was added."""
        dialect: Any = sqlite if self.is_sqlite else postgresql
        inserting = dialect.insert(table).values(row).on_conflict_do_nothing()
        counting = {"preserve_rowcount": True}
        return connection.execute(inserting, execution_options=counting).rowcount == 1

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Hold what no other process does, as long as we live. Raises: LockHeld."""
        if not self.is_sqlite:
            return self._advisory_lock(name)
        file = _file_of(self._url)
        if file is None:
            return nullcontext()
        return file_lock(file.with_name(f".{file.name}-{sha256(name.encode()).hexdigest()[:8]}"))

    @contextmanager
    def _advisory_lock(self, name: str) -> Iterator[None]:
        with self._explaining_errors("locked"), self._reader.connect() as connection:
            acquire(connection, name)
            # A server releases the lock with the session, so what is written goes through it, too.
            self._lock_session = connection
            try:
                yield
            finally:
                self._lock_session = None
                release(connection, name)

    def _ensure_schema(self) -> None:
        """Make or upgrade the tables. Current ones are only read: not everybody may write."""
        try:
            with self.reading() as connection:
                if is_current(connection):
                    return
            with self.writing() as connection:
                if not self.is_sqlite:  # two runners that start at once would both make the tables
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({SCHEMA_LOCK})"))
                ensure_schema(connection)
        except UsageError as error:
            self.close()
            raise UsageError(f"{self.shown}: {error}") from error

    @contextmanager
    def _explaining_errors(self, what: str) -> Iterator[None]:
        """Turn errors of the driver into EngineFailure, with what to do if a server is gone."""
        try:
            yield
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            words = " ".join(str(cause).split())
            # Only where it worked before: else the user has mistyped, and nothing was played.
            is_gone = _has_lost_its_session(error) or (self._was_reached and _is_refused(error))
            ending = f"; {KEPT}" if is_gone else ""
            raise EngineFailure(
                f"{self.shown}: results cannot be {what}: {words}{ending}"
            ) from error


def _has_lost_its_session(error: SQLAlchemyError) -> bool:
    """Return whether a server went away, or ended our connection."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _is_refused(error: SQLAlchemyError) -> bool:
    """Return whether there was no connection that could have carried a statement."""
    return isinstance(error, OperationalError) and error.statement is None


def is_there(url: str) -> bool:
    """Return whether there is more than a file to be made. Raises: UsageError."""
    file = _file_of(_parsed(url))
    return file is None or file.exists()


def without_password(url: str) -> str:
    """Return a URL that may be shown, and still opens the database. Raises: UsageError."""
    return _without_password(_parsed(url))


def _without_password(url: URL) -> str:
    query = {name: value for name, value in url.query.items() if "pass" not in name}
    return url._replace(password=None).set(query=query).render_as_string()


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError as error:
        raise UsageError(_no_database(error)) from error


def _file_of(url: URL) -> Path | None:
    """Return SQLite's file; None for a database elsewhere, or in memory."""
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if is_file else None


def _sqlite(url: URL) -> Engine:
    file = _file_of(url)
    if file is not None and not file.exists():
        make_folder(file.parent)
        if is_shared(file.parent):  # SQLite itself would let its group only read
            with suppress(FileExistsError):
                private_file(file)
    if file is not None and _is_read_only(file):
        query = {"mode": "ro", "immutable": "1", "uri": "true"}
        return create_engine(URL.create("sqlite", database=file.absolute().as_uri(), query=query))
    engine = create_engine(url, connect_args={"timeout": TIMEOUT_S})
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _is_read_only(file: Path) -> bool:
    """Return whether nobody writes to it, and it can only be read as one that never changes.

    In WAL mode readers need files beside it, which they make where there are none.
    """
    is_used = file.with_name(f"{file.name}-wal").exists()
    return file.exists() and not is_used and not os.access(file.parent, os.W_OK)


def _configure_sqlite(connection: Any, _: object) -> None:
    """Use the write-ahead log, with which readers and the writer do not wait for each other."""
    # Python's driver would begin transactions late, and not for tables: `_begin_sqlite` does it.
    connection.isolation_level = None
    # NORMAL with WAL: a power cut may cost the last commits, but never the database.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(BEGIN, "BEGIN"))


def _server(url: URL) -> Engine:
    who = {"connect_timeout": TIMEOUT_S, "application_name": f"slime-mind, {process_name()}"[:63]}
    # A pooled connection may have ended with a restart of the server, so it is tried first.
    engine = create_engine(url, connect_args=who, pool_pre_ping=True)
    event.listen(engine, "connect", _configure_postgresql)
    return engine


def _configure_postgresql(connection: Any, _: object) -> None:
    """Commit without waiting for the disk; the server writes there within a second."""
    connection.execute("SET synchronous_commit = off")
    connection.commit()


def _no_database(error: Exception) -> str:
    """Return why a URL cannot be used. It is not repeated: it may hold a password."""
    if isinstance(error, ImportError):
        return (
            f"--results: no driver for this kind of database ({error}); for PostgreSQL: "
            f"{how_to_install('postgres')}"
        )
    return (
        "--results: is not a database URL; such as sqlite:///results/mine.sqlite or "
        "postgresql+psycopg://user@host/name"
    )
