"""The database of a server, and transactions that read or write it.

It is a SQLite file, or a PostgreSQL server for several processes and hosts. On both there is one
writer at a time: what a transaction has read is still so when it writes, and none is ever refused
because of another one.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, make_url, text
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from engine.errors import EngineFailure, UsageError
from engine.files import make_folder
from engine.privacy import private_file
from runners.extras import how_to_install
from runners.storage.locks import process_name
from server.storable import refuse_unstorable

DATABASE = "games.sqlite"
"""The name of the file in the folder of --out."""
BUSY_S = 30
"""How long a writer waits for the others."""
HOLDUP_S = 5
"""PostgreSQL ends a writer that has stopped in the middle after so long: others wait for it."""
READING_S = 60
"""The same of a reader: nobody waits for it, and on a busy machine it may take a while."""
IDLE = "idle_in_transaction_session_timeout"
"""What PostgreSQL calls the setting of it."""
WRITERS = 7_341_978
"""The number of the lock that PostgreSQL's writers hold; any will do."""
POOLED, MOST_CONNECTIONS = 5, 20
"""Connections of one process to a PostgreSQL server that are kept, and at most."""
EXPECTED = "expected one such as postgresql+psycopg://user@host/name or sqlite:///folder/file"

tables = MetaData()
"""All tables: those of server/tables.py and server/arena/tables.py."""


def aware(stored: datetime) -> datetime:
    """Return a time of the database with its zone, which SQLite does not keep."""
    return stored.replace(tzinfo=UTC) if stored.tzinfo is None else stored.astimezone(UTC)


class Stale(Exception):
    """Somebody else has decided meanwhile."""


class Database:
    """A SQLite file, or a database of a PostgreSQL server."""

    def __init__(self, where: Path | str) -> None:
        """`where`: a file, or a URL. Raises: UsageError for a URL that is none of a database."""
        self.where = where
        """What opens the database in another process, too; it may hold a password."""
        url = _url(where)
        self.path = file_of(where)
        """The file; None for a PostgreSQL server."""
        self.on_writing: Callable[[Connection], object] = lambda connection: None
        self.name = str(self.path) if self.path else _shown(url)
        """What is shown of it: no password."""
        if self.path is not None:
            make_folder(self.path.parent)
            self._writer = _sqlite(self.path)
            refuse_unstorable(self._writer)
            self._reader = self._writer.execution_options(reads=True)
        else:
            self._writer = _postgresql(url)
            refuse_unstorable(self._writer)
            # A snapshot, as SQLite's readers have: what is read is of one moment.
            self._reader = self._writer.execution_options(
                reads=True, isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    def fenced(self, require: Callable[[Connection], object]) -> "Database":
        """Return it for whoever may not write always: `require` raises what says so.

        It is called in every transaction that writes, before anything is written.
        """
        fenced = copy(self)
        fenced.on_writing = require
        return fenced

    def close(self) -> None:
        self._writer.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Raises: EngineFailure where the database cannot be written; Stale for a row twice.

        BadValue for what no database can keep.
        """
        try:
            with self._writer.begin() as connection:
                self.on_writing(connection)
                yield connection
        except IntegrityError as error:  # another process was first
            raise Stale from error
        except SQLAlchemyError as error:
            raise EngineFailure(f"{self.name}: cannot be written: {_words(error)}") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Raises: EngineFailure where the database cannot be read; BadValue."""
        try:
            with self._reader.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise EngineFailure(f"{self.name}: cannot be read: {_words(error)}") from error

    def notices(self, channel: str, pause_s: float) -> Generator[str | None, None, None]:
        """Yield what PostgreSQL tells on a channel, and None after each pause without news.

        Raises: EngineFailure where the connection is lost.
        """
        failed: type[Exception] = self._writer.dialect.loaded_dbapi.Error
        try:
            listener = self._writer.connect().execution_options(isolation_level="AUTOCOMMIT")
            with listener.execution_options(reads=True) as connection:
                connection.exec_driver_sql(f"LISTEN {channel}")
                try:
                    driver: Any = connection.connection.driver_connection
                    while True:
                        for notice in driver.notifies(timeout=pause_s):
                            yield notice.payload
                        yield None
                finally:
                    connection.invalidate()  # nobody else shall listen by it
        except (SQLAlchemyError, OSError, failed) as error:
            raise EngineFailure(f"{self.name}: cannot be listened to: {error}") from error

    def size(self, connection: Connection) -> int:
        """Return how many bytes it takes."""
        if self.path is not None:
            return self.path.stat().st_size
        size = text("SELECT pg_database_size(current_database())")
        return int(connection.execute(size).scalar_one())


def file_of(where: Path | str) -> Path | None:
    """Return the SQLite file that is meant; None for a PostgreSQL server. Raises: UsageError."""
    url = _url(where)
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def _url(where: Path | str) -> URL:
    """Raises: UsageError; what was given is not repeated, since it may hold a password."""
    if isinstance(where, Path):
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except ArgumentError as error:
        raise UsageError(f"--database: is no URL of a database: {EXPECTED}") from error
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    if not (is_file or url.get_backend_name() == "postgresql"):
        raise UsageError(f"--database: a server cannot use {url.get_backend_name()}: {EXPECTED}")
    return url


def _shown(url: URL) -> str:
    query = {name: value for name, value in url.query.items() if "pass" not in name}
    return url._replace(password=None).set(query=query).render_as_string()


def _words(error: SQLAlchemyError) -> str:
    cause = error.orig if isinstance(error, DatabaseError) else error
    return " ".join(str(cause).split())


def _sqlite(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_S})

    @event.listens_for(engine, "do_connect")
    def make(*connecting: object) -> None:
        with suppress(OSError):  # there is one; or it cannot be made, and SQLite says why
            private_file(path)  # its files beside it get the same rights

    @event.listens_for(engine, "connect")
    def prepare(connection: object, record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")  # what was acknowledged survives a power cut
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()
        connection.isolation_level = None  # type: ignore[attr-defined]

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Writers wait for each other here, not in the middle: nobody reads what is stale by then.
        connection.exec_driver_sql("BEGIN" if _only_reads(connection) else "BEGIN IMMEDIATE")

    return engine


def _postgresql(url: URL) -> Engine:
    """Raises: UsageError where there is no driver."""
    who = {
        "connect_timeout": HOLDUP_S,
        "application_name": f"slime-mind serve, {process_name()}"[:63],
    }
    try:
        # A pooled connection may have ended with a restart of the server, so it is tried first.
        engine = create_engine(
            url,
            connect_args=who,
            pool_pre_ping=True,
            pool_size=POOLED,
            max_overflow=MOST_CONNECTIONS - POOLED,
            pool_timeout=BUSY_S,
        )
    except (ImportError, NoSuchModuleError) as error:
        raise UsageError(
            f"--database: there is no driver for PostgreSQL here ({error}): "
            f"{how_to_install('postgres')}"
        ) from error

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: object) -> None:
        connection.execute("SET TIME ZONE 'UTC'")
        connection.execute(f"SET lock_timeout = '{BUSY_S}s'")
        connection.execute(f"SET {IDLE} = '{READING_S}s'")
        connection.commit()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # As SQLite's BEGIN IMMEDIATE. It ends with the transaction, after what it wrote is seen.
        # A process that was stopped while it wrote would keep all others from writing.
        if not _only_reads(connection):
            limit = f"set_config('{IDLE}', '{HOLDUP_S}s', true)"
            connection.exec_driver_sql(f"SELECT {limit}, pg_advisory_xact_lock({WRITERS})")

    return engine


def _only_reads(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get("reads", False))
