"""A database by its URL: how it is opened, read, written and locked, and its errors in words."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
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
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from engine.errors import EngineFailure, UsageError
from engine.files import make_folder
from runners.locks import advisory_lock, file_lock, ourselves
from runners.schema import is_current, settle

BEGIN = "slime_mind_begin"
"""The option of an engine that says how SQLite begins its transactions."""
SETTLING = 7_341_977
"""The number of the lock under which PostgreSQL's tables are made; any will do."""
PATIENCE_S = 10


class Database:
    """What is committed outlives a kill; a power cut may cost the last moments, and no more.

    Raises: EngineFailure where it cannot be read or written.
    """

    def __init__(self, url: str) -> None:
        """Opens it, or makes it, with our tables. Raises: UsageError where that cannot be."""
        self._url = _parsed(url)
        try:
            self._reader = _sqlite(self._url) if self.is_sqlite else _server(self._url)
        except (ArgumentError, ImportError) as error:
            raise UsageError(_no_database(error)) from error
        # Writers take their lock at once: a late one is refused if others wrote meanwhile.
        self._writer = self._reader.execution_options(**{BEGIN: "BEGIN IMMEDIATE"})
        self._settle()

    @property
    def is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    @property
    def shown(self) -> str:
        """The URL as anybody may see it."""
        return _without_password(self._url)

    def close(self) -> None:
        self._reader.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._naming("read"), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """All of it or nothing."""
        with self._naming("written"), self._writer.begin() as connection:
            yield connection

    def insert_new(self, connection: Connection, table: Table, row: dict[str, Any]) -> bool:
        """Add a row unless there is one under its key; whether it was added."""
        dialect: Any = sqlite if self.is_sqlite else postgresql
        inserting = dialect.insert(table).values(row).on_conflict_do_nothing()
        counting = {"preserve_rowcount": True}
        return connection.execute(inserting, execution_options=counting).rowcount == 1

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Hold what no other process does, as long as we live. Raises: Held."""
        if not self.is_sqlite:
            return advisory_lock(self._reader, name)
        file = _file_of(self._url)
        if file is None:
            return nullcontext()
        return file_lock(file.with_name(f".{file.name}-{sha256(name.encode()).hexdigest()[:8]}"))

    def _settle(self) -> None:
        """One that is up to date is only read, so that those can look who may not write."""
        try:
            with self.reading() as connection:
                if is_current(connection):
                    return
            with self.writing() as connection:
                if not self.is_sqlite:
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({SETTLING})"))
                settle(connection)
        except UsageError as error:
            self.close()
            raise UsageError(f"{self.shown}: {error}") from error

    @contextmanager
    def _naming(self, what: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            words = " ".join(str(cause).split())
            raise EngineFailure(f"{self.shown}: results cannot be {what}: {words}") from error


def is_there(url: str) -> bool:
    """Whether it is more than a file to be made. Raises: UsageError for a URL that is none."""
    file = _file_of(_parsed(url))
    return file is None or file.exists()


def without_password(url: str) -> str:
    """As it can be shown, and used by who has the password elsewhere. Raises: UsageError."""
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
    """SQLite's; None for a database elsewhere, or in memory."""
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if is_file else None


def _sqlite(url: URL) -> Engine:
    file = _file_of(url)
    if file is not None and not file.exists():
        make_folder(file.parent)
    if file is not None and _is_shut_away(file):
        return create_engine(f"sqlite:///{file.absolute().as_uri()}?mode=ro&immutable=1&uri=true")
    engine = create_engine(url, connect_args={"timeout": PATIENCE_S})
    event.listen(engine, "connect", _settle_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _is_shut_away(file: Path) -> bool:
    """Whether nobody can be writing to it, and we could not read it as if somebody were.

    In WAL mode readers need files beside it, which they make where there are none.
    """
    is_used = file.with_name(f"{file.name}-wal").exists()
    return file.exists() and not is_used and not os.access(file.parent, os.W_OK)


def _settle_sqlite(connection: Any, _: object) -> None:
    """Readers and the writer do not wait for each other."""
    connection.isolation_level = None  # Python's driver would begin late, and not for tables
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(BEGIN, "BEGIN"))


def _server(url: URL) -> Engine:
    who = {"connect_timeout": PATIENCE_S, "application_name": f"slime-mind, {ourselves()}"[:63]}
    engine = create_engine(url, connect_args=who, pool_pre_ping=True)
    event.listen(engine, "connect", _settle_postgresql)
    return engine


def _settle_postgresql(connection: Any, _: object) -> None:
    """Commits do not wait for the disk; the server writes them there within a second."""
    connection.execute("SET synchronous_commit = off")
    connection.commit()


def _no_database(error: Exception) -> str:
    """The URL is not repeated: it may hold a password."""
    if isinstance(error, ImportError):
        return (
            f"--results: no driver for this kind of database ({error}); for PostgreSQL install "
            "the extra 'postgres': pip install 'slime-mind[postgres]'"
        )
    return (
        "--results: is no database URL; such as sqlite:///results/mine.sqlite or "
        "postgresql+psycopg://user@host/name"
    )
