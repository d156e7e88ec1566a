"""A database of results, games and accounts, and transactions that read or write it.

It is a SQLite file, or a PostgreSQL server for several processes and hosts. On both there is one
writer at a time: what a transaction has read is still so when it writes, and none is ever refused
because of another one.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from copy import copy
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Table,
    UpdateBase,
    create_engine,
    event,
    func,
    literal,
    make_url,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine.errors import EngineFailure, UsageError
from engine.support.extras import how_to_install
from engine.support.files import is_shared, make_folder, write_private_file
from runners.storage.locks import process_name
from runners.storage.shared_reading import Reader, connection_for, look_afresh
from runners.storage.storable import refuse_unstorable
from runners.storage.together import AnyRow, AnySelect, Lookup, Rows, only_value, read_lookups

BUSY_S = 30
"""How long a writer waits for the others."""
MAX_REQUEST_WAIT_S = 10
"""How long one does for whom somebody waits; longer than others may hold it up (HOLDUP_S)."""
HOLDUP_S = 5
"""PostgreSQL ends a writer that has stopped in the middle after so long: others wait for it."""
READING_S = 60
"""The same of a reader: nobody waits for it, and on a busy machine it may take a while."""
IDLE = "idle_in_transaction_session_timeout"
"""What PostgreSQL calls the setting of it."""
BEGIN = "BEGIN"
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""So a PostgreSQL server lets read what is of one moment, as SQLite does with BEGIN."""
BEGIN_NOTHING = "SELECT"
"""A statement that does nothing, for a connection on which each statement stands alone."""
T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)

WRITERS_LOCK_ID = 7_341_978
"""The number of the lock that PostgreSQL's writers hold; any will do."""
POOLED, MAX_CONNECTIONS = 5, 20
"""Connections of one process to a database that are kept, and at most."""
POOL_OPTIONS = {
    "pool_size": POOLED,
    "max_overflow": MAX_CONNECTIONS - POOLED,
    "pool_timeout": MAX_REQUEST_WAIT_S,
}
NO_MORE = re.compile("too many (clients|connections)|connection slots are reserved")
"""What a PostgreSQL server says that gives no more connections: those of a process are shared."""
NO_MORE_S = 0.02
"""It is asked again so often."""
EXPECTED_URL = "expected one such as postgresql+psycopg://user@host/name or sqlite:///folder/file"


class Use(NamedTuple):
    """What a database is used for."""

    option: str
    """The option of the command line that names it."""
    is_durable: bool
    """Whether a power cut may cost nothing of what was committed, not even the last moments."""
    is_private: bool
    """Whether nobody else may read its file."""
    if_lost: str
    """What to add where the database was there, and went away."""
    patience_s: float
    """How long whoever plays matches tries again then: a server may be restarted."""


RESULTS_USE = Use(
    option="--results",
    is_durable=False,
    is_private=False,
    if_lost="; what was played is kept, and the same command resumes",
    patience_s=20,
)
"""Matches of the command line: what a power cut costs is played again."""
SERVER_USE = Use(option="--database", is_durable=True, is_private=True, if_lost="", patience_s=0)
"""A server with people's accounts: what was acknowledged stays."""


def now() -> datetime:
    """Return the present time, with its zone."""
    return datetime.now(UTC)


def struct_from_row(kind: type[S], row: AnyRow, **given: Any) -> S:
    """Return a struct of the columns that are called as its fields, whose times are UTC.

    `given`: other fields. One with a default has it where its column is NULL.
    """
    columns = row._asdict()
    for name, is_required, to_enum in _fields(kind):
        value: Any = columns.get(name)
        if name in given or name not in columns or (value is None and not is_required):
            continue
        if isinstance(value, datetime):
            value = with_time_zone(value)
        given[name] = value if to_enum is None or value is None else to_enum(value)
    return kind(**given)


@cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, bool, type[StrEnum] | None]]:
    """Return the fields of a struct: whether each is required, and what it chooses from."""
    found = []
    for field in msgspec.structs.fields(kind):
        kinds = get_args(field.type) or (field.type,)
        enums = [one for one in kinds if isinstance(one, type) and issubclass(one, StrEnum)]
        found.append((field.name, field.required, enums[0] if enums else None))
    return found


def with_time_zone(stored: datetime) -> datetime:
    """Return a time of the database with its zone, which SQLite does not keep."""
    return stored.replace(tzinfo=UTC) if stored.tzinfo is None else stored.astimezone(UTC)


class Stale(Exception):
    """Somebody else has decided meanwhile."""


class DatabaseGone(EngineFailure):
    """A database server was there and went away, or starts again: trying again may help."""


class DatabaseBusy(EngineFailure):
    """Others use a database for longer than we may wait: trying again helps."""


class DiskFull(EngineFailure):
    """There is no room to make or to upgrade a database, and nothing was changed."""


class Writes:
    """How a process writes to a database, one thread at a time."""

    failure = ""
    """Why it failed the last time; empty if it did not."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.here = _Here()


class _Here(threading.local):
    """What a thread does."""

    connection: Connection | None = None
    """The one by which it writes."""


_max_wait_s: ContextVar[float | None] = ContextVar("max_wait_s", default=None)


@contextmanager
def limit_wait(seconds: float) -> Iterator[None]:
    """Wait no longer for other writers in the block, or on a thread for it, to write at first."""
    token = _max_wait_s.set(seconds)
    try:
        yield
    finally:
        _max_wait_s.reset(token)


def _wait_s() -> float:
    """Return how long to wait for other writers."""
    return _max_wait_s.get() or BUSY_S


class Database:
    """A SQLite file, or a database of a PostgreSQL server. What is committed outlives a kill."""

    def __init__(self, where: Path | str, use: Use = SERVER_USE) -> None:
        """`where`: a file, or a URL. Raises: UsageError for a URL that is none of a database."""
        self.where = where
        """What opens the database in another process, too; it may hold a password."""
        self.use = use
        url = _parse_url(where, use)
        self.path = _sqlite_file(url)
        """The file; None for a PostgreSQL server."""
        self.on_writing: Callable[[Connection], object] = lambda connection: None
        self.name = hide_password(url) if self.path is None else str(self.path)
        """What is shown of it: no password."""
        self.writes = Writes()
        """One with those that are fenced."""
        self._was_reached = False
        self._writer = (
            _make_server_engine(url, use)
            if self.path is None
            else _make_sqlite_engine(self.path, use)
        )
        refuse_unstorable(self._writer)
        reading = self._writer.execution_options(begin=BEGIN)
        if self.path is None:  # its driver begins no transaction by itself then
            reading = reading.execution_options(begin=BEGIN_SNAPSHOT, isolation_level="AUTOCOMMIT")
        self._reader = Reader(partial(self._open_transaction, reading))

    @property
    def url(self) -> str:
        """Return a URL that opens it, without a password."""
        return hide_password(_parse_url(self.where, self.use))

    def with_write_check(self, require: Callable[[Connection], object]) -> "Database":
        """Return it for whoever may not write always: `require` raises what says so.

        It is called in every transaction that writes, before anything is written.
        """
        fenced = copy(self)
        fenced.on_writing = require
        return fenced

    def close(self) -> None:
        self._writer.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run a block as one transaction; what it reads meanwhile is read in that, too.

        Raises: EngineFailure where the database cannot be written, DatabaseBusy where others
        write for too long; Stale for a row twice; BadValue for what no database can keep.
        """
        here = self.writes.here
        if here.connection is not None:
            raise RuntimeError("a block that writes begins another one, and would wait for itself")
        look_afresh()  # a request keeps no connection while it waits, ...
        try:
            with (
                self._explain_errors("written"),
                self._wait_for_write_turn(),
                self._open_transaction(self._writer) as here.connection,
            ):
                self.on_writing(here.connection)
                yield here.connection
                here.connection.commit()
            self.writes.failure = ""
            _max_wait_s.set(None)  # what was begun is not left half done
        finally:
            here.connection = None
            look_afresh()  # ... and reads what was written

    @contextmanager
    def _wait_for_write_turn(self) -> Iterator[None]:
        """Be the only thread that writes: whoever waits for that holds no connection.

        If each had one, none would be left for whoever writes. Raises: DatabaseBusy.
        """
        wait_s = _wait_s()
        if not self.writes.turn.acquire(timeout=wait_s):
            raise DatabaseBusy(f"{self.name}: others have been writing for {wait_s:g} s")
        try:
            yield
        finally:
            self.writes.turn.release()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Run a block that reads: in the transaction of whoever writes, or of a request.

        Raises: EngineFailure where the database cannot be read; BadValue.
        """
        if self.writes.here.connection is not None:
            yield self.writes.here.connection
            return
        with self._explain_errors("read"), connection_for(self._reader) as connection:
            self._was_reached = True
            yield connection

    def write(self, statement: UpdateBase, rows: Sequence[Mapping[str, Any]] | None = None) -> int:
        """Run one statement as a transaction; return how many rows it changed.

        `rows`: those that it inserts. Raises: as `transaction`.
        """
        with self.transaction() as connection:
            return connection.execute(statement, rows).rowcount

    def fetch_all(self, query: AnySelect) -> Rows:
        """Return the rows that a query finds. Raises: as `reading`."""
        with self.reading() as connection:
            return connection.execute(query).all()

    def fetch_row(self, query: AnySelect) -> AnyRow | None:
        """Return the row of a query that finds one at most. Raises: as `reading`."""
        with self.reading() as connection:
            return connection.execute(query).one_or_none()

    def fetch_value(self, query: AnySelect) -> Any:
        """Return the first value that a query finds; None for none. Raises: as `reading`."""
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def fetch_column(self, query: AnySelect) -> list[Any]:
        """Return the first value of each row that a query finds. Raises: as `reading`."""
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def find(self, lookup: Lookup[T]) -> T:
        """Return what one lookup finds. Raises: as `reading`."""
        with self.reading() as connection:
            (found,) = read_lookups(connection, lookup)
        return found  # type: ignore[no-any-return]

    def read(self, *lookups: Lookup[Any]) -> list[Any]:
        """Return what several lookups find, which are sent together. Raises: as `reading`."""
        if not lookups:
            return []
        with self.reading() as connection:
            return read_lookups(connection, *lookups)

    def insert_new(self, connection: Connection, table: Table, row: dict[str, object]) -> bool:
        """Add a row unless there is one under its key; return whether it was added."""
        dialect: Any = postgresql if self.path is None else sqlite
        inserting = dialect.insert(table).values(row).on_conflict_do_nothing()
        counting = {"preserve_rowcount": True}
        return connection.execute(inserting, execution_options=counting).rowcount == 1

    def notify(self, connection: Connection, channel: str, content: str = "") -> None:
        """Tell other processes that listen (PostgreSQL), once the transaction is committed."""
        if self.path is None:
            connection.execute(select(func.pg_notify(channel, content)))

    def listen(self, channel: str, pause_s: float) -> Generator[str | None, None, None]:
        """Yield what PostgreSQL tells on a channel, and None after each pause without news.

        Raises: EngineFailure where the connection is lost.
        """
        failed: type[Exception] = self._writer.dialect.loaded_dbapi.Error
        try:
            listening = {"begin": BEGIN_NOTHING, "isolation_level": "AUTOCOMMIT"}
            with self._open_transaction(self._writer.execution_options(**listening)) as connection:
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

    def size_bytes(self) -> Lookup[int]:
        """Look up how many bytes it takes."""
        if self.path is not None:
            # Its folder may have vanished, with a file that is still open here.
            size = self.path.stat().st_size if self.path.exists() else 0
            return Lookup(select(literal(size)), only_value)
        return Lookup(select(func.pg_database_size(func.current_database())), only_value)

    def _connect(self, engine: Engine) -> Connection:
        """Return a connection: one of those that we have where the server gives no more."""
        end = time.monotonic() + _wait_s()
        while True:
            try:
                return engine.connect()
            except OperationalError as error:
                if not NO_MORE.search(str(error.orig)) or time.monotonic() > end:
                    raise
            time.sleep(NO_MORE_S)

    def _open_transaction(self, engine: Engine) -> Connection:
        """Return a connection whose transaction has begun.

        One of the pool may have ended meanwhile, as with a restart of the server. Its first
        statement says so, before anything was read or written: then all of its age are given up,
        and another one is made.
        """
        try:
            return _begin_transaction(self._connect(engine))
        except DBAPIError as error:
            if not _has_lost_its_session(error):
                raise
        return _begin_transaction(self._connect(engine))

    @contextmanager
    def _explain_errors(self, what: str) -> Iterator[None]:
        """Turn errors of the driver into ours, with what to do if a server is gone."""
        try:
            yield
        except IntegrityError as error:  # another process was first
            raise Stale from error
        except SQLAlchemyError as error:
            # Only where it worked before: else the user has mistyped.
            is_gone = _has_lost_its_session(error) or (self._was_reached and _is_refused(error))
            kind = DatabaseBusy if _is_busy(error) else EngineFailure
            if is_gone and self.path is None:
                kind = DatabaseGone
            ending = self.use.if_lost if is_gone else ""
            if what == "written":
                self.writes.failure = _error_text(error)
            raise kind(f"{self.name}: cannot be {what}: {_error_text(error)}{ending}") from error


def sqlite_file(where: Path | str, use: Use = SERVER_USE) -> Path | None:
    """Return the SQLite file that is meant; None for a PostgreSQL server. Raises: UsageError."""
    return _sqlite_file(_parse_url(where, use))


def is_there(where: Path | str, use: Use = RESULTS_USE) -> bool:
    """Return whether there is more than a file to be made. Raises: UsageError."""
    file = sqlite_file(where, use)
    return file is None or file.exists()


def without_password(where: str, use: Use = RESULTS_USE) -> str:
    """Return a URL that may be shown, and still opens the database. Raises: UsageError."""
    return hide_password(_parse_url(where, use))


def hide_password(url: URL) -> str:
    """Return a URL without its password, wherever that stands."""
    query = {name: value for name, value in url.query.items() if "password" not in name}
    return url._replace(password=None).set(query=query).render_as_string()


def _sqlite_file(url: URL) -> Path | None:
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def _parse_url(where: Path | str, use: Use) -> URL:
    """Raises: UsageError; what was given is not repeated, since it may hold a password."""
    if isinstance(where, Path):
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except ArgumentError as error:
        raise UsageError(f"{use.option}: is no URL of a database: {EXPECTED_URL}") from error
    backend = url.get_backend_name()
    is_file = backend == "sqlite" and url.database not in (None, "", ":memory:")
    if not (is_file or backend == "postgresql"):
        raise UsageError(f"{use.option}: {backend} cannot be used: {EXPECTED_URL}")
    return url


def _error_text(error: SQLAlchemyError) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return " ".join(str(cause).split())


def _begin_transaction(connection: Connection) -> Connection:
    try:
        connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection


def _has_lost_its_session(error: SQLAlchemyError) -> bool:
    """Return whether a server went away, or ended our connection."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _is_busy(error: SQLAlchemyError) -> bool:
    """Return whether others had what we have waited for: the right to write, or all connections."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    is_locked = getattr(cause, "sqlite_errorname", "").startswith("SQLITE_BUSY")
    return is_locked or getattr(cause, "sqlstate", "") == "55P03" or isinstance(error, PoolTimeout)


def _is_refused(error: SQLAlchemyError) -> bool:
    """Return whether there was no connection that could have carried a statement."""
    return isinstance(error, OperationalError) and error.statement is None


def _make_sqlite_engine(path: Path, use: Use) -> Engine:
    if not path.exists():
        make_folder(path.parent)
    if _is_read_only(path):
        query = {"mode": "ro", "immutable": "1", "uri": "true"}
        url = URL.create("sqlite", database=path.absolute().as_uri(), query=query)
        return create_engine(url)
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, connect_args={"timeout": BUSY_S}, **POOL_OPTIONS)

    @event.listens_for(engine, "do_connect")
    def make(*connecting: object) -> None:
        # SQLite itself would let a group with which the folder is shared only read.
        if use.is_private or (not path.exists() and is_shared(path.parent)):
            with suppress(OSError):  # there is one; or it cannot be made, and SQLite says why
                write_private_file(path)  # its files beside it get the same rights

    @event.listens_for(engine, "connect")
    def prepare(connection: object, record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        # Readers and the writer do not wait for each other. Of this log, NORMAL loses the last
        # commits in a power cut, and never the database; FULL loses none.
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if use.is_durable else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()
        # Python's driver would begin transactions late, and not for tables.
        connection.isolation_level = None  # type: ignore[attr-defined]

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Writers wait for each other here, not in the middle: nobody reads what is stale by then.
        how = _how_to_begin(connection)
        if how is None:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_wait_s() * 1000:.0f}")
        connection.exec_driver_sql(how or "BEGIN IMMEDIATE")

    return engine


def _is_read_only(file: Path) -> bool:
    """Return whether nobody writes to it, and it can only be read as one that never changes.

    In WAL mode readers need files beside it, which they make where there are none.
    """
    is_used = file.with_name(f"{file.name}-wal").exists()
    return file.exists() and not is_used and not os.access(file.parent, os.W_OK)


def _make_server_engine(url: URL, use: Use) -> Engine:
    """Raises: UsageError where there is no driver."""
    who = {"connect_timeout": HOLDUP_S, "application_name": f"slime-mind, {process_name()}"[:63]}
    try:
        engine = create_engine(url, connect_args=who, **POOL_OPTIONS)
    except (ArgumentError, ImportError, NoSuchModuleError) as error:
        raise UsageError(
            f"{use.option}: there is no driver for PostgreSQL here ({error}): "
            f"{how_to_install('postgres')}"
        ) from error

    settings = ["TIME ZONE 'UTC'", f"lock_timeout = '{BUSY_S}s'", f"{IDLE} = '{READING_S}s'"]
    if not use.is_durable:  # the server writes to the disk within a second
        settings.append("synchronous_commit = off")

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: object) -> None:
        connection.execute("; ".join(f"SET {setting}" for setting in settings))
        connection.commit()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # As SQLite's BEGIN IMMEDIATE. It ends with the transaction, after what it wrote is seen.
        # A process that was stopped while it wrote would keep all others from writing.
        limits = {IDLE: HOLDUP_S, "lock_timeout": _wait_s()}
        set_all = (f"set_config('{name}', '{s * 1000:.0f}ms', true)" for name, s in limits.items())
        lock = f"SELECT {', '.join(set_all)}, pg_advisory_xact_lock({WRITERS_LOCK_ID})"
        connection.exec_driver_sql(_how_to_begin(connection) or lock)

    return engine


def _how_to_begin(connection: Connection) -> str | None:
    """Return the first statement of a transaction; None for one that writes."""
    begin: str | None = connection.get_execution_options().get("begin")
    return begin
