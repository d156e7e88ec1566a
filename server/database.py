"""The database file of a server, and transactions that read or write it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.exc import DatabaseError, IntegrityError

from engine.errors import EngineFailure
from engine.files import make_folder

DATABASE = "games.sqlite"
"""The name of the file in the folder of --out."""
BUSY_S = 30
"""How long a writer waits for the others."""

tables = MetaData()
"""All tables: those of server/tables.py and server/arena/tables.py."""


class Stale(Exception):
    """Somebody else has decided meanwhile."""


class Database:
    """A SQLite file."""

    def __init__(self, path: Path) -> None:
        make_folder(path.parent)
        self.path = path
        self._engine = _engine(path)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Raises: EngineFailure where the database cannot be written; Stale for a row twice."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError as error:  # another process was first
            raise Stale from error
        except DatabaseError as error:
            raise EngineFailure(f"{self.path}: cannot be written: {error.orig}") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Raises: EngineFailure where the database cannot be read."""
        try:
            with self._engine.connect().execution_options(reads=True) as connection:
                yield connection
        except DatabaseError as error:
            raise EngineFailure(f"{self.path}: cannot be read: {error.orig}") from error


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_S})

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
        reads = connection.get_execution_options().get("reads", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine
