"""Queries that need nothing of each other are sent together, so that one waits once for them all.

It is a database on another host that makes one wait.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Select
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError

from runners.storage.storable import DRIVER_ERRORS, bad_value, require_storable

T = TypeVar("T")
AnyRow = Row[Any]
"""A row, whose columns are those of its query: types do not tell of them."""
Rows = Sequence[AnyRow]
AnySelect = Select[*tuple[Any, ...]]


class Lookup(NamedTuple, Generic[T]):
    """A query, and what is made of its rows."""

    query: AnySelect
    made_of: Callable[..., T]
    beside: AnySelect | None = None
    """Another query, whose rows it is made of, too."""


def only_one(rows: Rows) -> AnyRow | None:
    """Return the row of a query that finds one at most."""
    return rows[0] if rows else None


def only_value(rows: Rows) -> Any:
    """Return what a query finds that always finds one value."""
    return rows[0][0]


def read_lookups(connection: Connection, *lookups: Lookup[Any]) -> list[Any]:
    """Return what each lookup makes of its rows; the queries are sent together."""
    queries = [[one.query] if one.beside is None else [one.query, one.beside] for one in lookups]
    found = iter(read_together(connection, *chain.from_iterable(queries)))
    return [
        lookup.made_of(*islice(found, len(of_lookup)))
        for lookup, of_lookup in zip(lookups, queries, strict=True)
    ]


def read_together(connection: Connection, *queries: AnySelect) -> list[Rows]:
    """Return the rows of each query, as `connection.execute` would.

    `connection`: one in a transaction. Raises: SQLAlchemyError for the first query that fails;
    BadValue.
    """
    if len(queries) < 2 or not _has_pipelines(connection.dialect):
        return [connection.execute(query).all() for query in queries]
    return _read_by_pipeline(connection, queries)


def _has_pipelines(dialect: Dialect) -> bool:
    """Return whether the driver sends a statement before the last one was answered."""
    pipeline: Any = getattr(dialect.loaded_dbapi, "Pipeline", None)
    return pipeline is not None and bool(pipeline.is_supported())


def _read_by_pipeline(connection: Connection, queries: Sequence[AnySelect]) -> list[Rows]:
    statements = [_compile_statement(query, connection.dialect) for query in queries]
    driver: Any = connection.connection.driver_connection
    errors: Any = connection.dialect.loaded_dbapi
    try:
        with driver.pipeline():
            cursors = [driver.execute(text, values) for text, values in statements]
        fetched = [(cursor.description, cursor.fetchall()) for cursor in cursors]
    except (*DRIVER_ERRORS, errors.DataError) as error:
        raise bad_value(error) from error
    except errors.Error as error:
        raise _wrap_error(connection, error) from error
    return [
        _typed_rows(query, columns, rows, connection.dialect)
        for query, (columns, rows) in zip(queries, fetched, strict=True)
    ]


def _compile_statement(query: AnySelect, dialect: Dialect) -> tuple[str, dict[str, Any]]:
    """Return what the driver is given: it takes the values of our queries as they are."""
    compiled = query.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
    values = dict(compiled.construct_params())
    for value in values.values():
        require_storable(value)
    return str(compiled), values


def _typed_rows(
    query: AnySelect, columns: Sequence[Any], rows: Iterable[Sequence[Any]], dialect: Dialect
) -> Rows:
    """Return rows whose values have the types of their columns; `columns`: as the driver says."""
    types = (column.type.dialect_impl(dialect) for column in query.selected_columns)
    readers = [
        kind.result_processor(dialect, column.type_code)
        for kind, column in zip(types, columns, strict=True)
    ]

    def read() -> Iterator[tuple[Any, ...]]:
        for row in rows:
            yield tuple(
                value if reader is None else reader(value)
                for value, reader in zip(row, readers, strict=True)
            )

    names = [column.name for column in columns]
    found: Rows = IteratorResult[Any](SimpleResultMetaData(names), read()).all()
    return found


def _wrap_error(connection: Connection, error: Exception) -> DBAPIError:
    """Return an error of the driver as SQLAlchemy raises it."""
    driver: Any = connection.connection.driver_connection
    is_lost = connection.dialect.is_disconnect(error, driver, None)  # type: ignore[arg-type]
    if is_lost:
        connection.invalidate(error)
    return DBAPIError("queries sent together", None, error, connection_invalidated=is_lost)
