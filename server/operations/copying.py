"""Copying a server's database, table by table, to another one of whatever kind.

Backups of a PostgreSQL server are made of this, and the move from a file to such a server: the
databases' own tools each write a format that only they can read.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, RowMapping, Table, func, insert, inspect, select

from engine.errors import EngineFailure, UsageError
from runners.storage.database import IDLE, Database, with_time_zone
from runners.storage.game_tables import runs, shown_once
from runners.storage.schema import REVISION
from runners.storage.tables import about, tables

AT_ONCE = 1_000
"""Rows that are read and written at once."""
LEFT_OUT = (shown_once, runs)
"""Tables of which no rows are copied: what waits for minutes to be shown once is shown there, and
mock battles are kept where they were played."""


def copy_database(source: Path | str, target: Path | str) -> int:
    """Copy all rows that last into an empty database; return how many. All of them or none.

    Each is a file or a URL. Raises: UsageError where one cannot be used, EngineFailure where
    copying failed.
    """
    with (
        _open_database(source) as here,
        _open_database(target) as there,
        here.reading() as reader,
        there.transaction() as writer,
    ):
        _require_current(reader, here)
        if inspect(writer).get_table_names():
            raise UsageError(f"{there.name}: holds tables already; copy into an empty database")
        for connection in (reader, writer):
            _let_wait(connection)
        tables.create_all(writer)
        copied = [table for table in tables.sorted_tables if table not in LEFT_OUT]
        rows = sum(_copy(reader, writer, table) for table in copied)
        if there.path is None:
            _go_on_counting(writer)
        return rows


@contextmanager
def _open_database(where: Path | str) -> Iterator[Database]:
    with closing(Database(where)) as database:
        yield database


def _require_current(reader: Connection, database: Database) -> None:
    """Raises: UsageError for tables that are not those of this version."""
    if not inspect(reader).has_table(about.name):
        raise UsageError(f"{database.name}: holds no server's tables")
    revision = reader.execute(select(about.c.revision)).scalar()
    if revision != REVISION:
        raise UsageError(
            f"{database.name}: its tables are of revision {revision}, these of {REVISION}; serve "
            "it once with this version, which upgrades it"
        )


def _let_wait(connection: Connection) -> None:
    """Let this transaction wait for the other one, as long as that takes."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SET LOCAL {IDLE} = 0")


def _copy(reader: Connection, writer: Connection, table: Table) -> int:
    """Copy a table; return how many rows it has. Raises: EngineFailure."""
    count = 0
    # Rows that refer to others of their table come after those.
    own = (key.parent.is_not(None) for key in table.foreign_keys if key.column.table is table)
    query = select(table).order_by(*own, *table.primary_key.columns)
    with reader.execute(query, execution_options={"yield_per": AT_ONCE}) as rows:
        for some in rows.mappings().partitions():
            writer.execute(insert(table), [_portable_values(row) for row in some])
            count += len(some)
    there = writer.execute(select(func.count()).select_from(table)).scalar_one()
    if there != count:
        raise EngineFailure(f"table {table.name}: {count} rows were copied, {there} arrived")
    return count


def _portable_values(row: RowMapping) -> dict[str, object]:
    """Return a row as any database takes it: SQLite's times have no zone, and mean UTC."""
    return {
        str(name): with_time_zone(value) if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _go_on_counting(writer: Connection) -> None:
    """Let the numbers of new rows begin behind those that were copied."""
    for table in tables.sorted_tables:
        column = table.autoincrement_column
        most = None if column is None else writer.execute(select(func.max(column))).scalar()
        if column is None or most is None:
            continue
        counter = writer.execute(select(func.pg_get_serial_sequence(table.name, column.name)))
        if (name := counter.scalar()) is not None:
            writer.execute(select(func.setval(name, most)))
