"""What every database can keep: SQLite takes longer texts and larger numbers than PostgreSQL does.

Values are looked at before the database sees them, so that what is refused on one is refused on
the other, in the same words. A refused value is no failure of the database: it came from outside,
and whoever sent it is told so.
"""

from collections.abc import Iterator

from sqlalchemy import Column, Engine, ExceptionContext, Integer, String, event
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.exc import DataError

from engine.errors import UsageError
from engine.support.wording import pluralize

INT64_RANGE = range(-(1 << 63), 1 << 63)
"""The numbers that any column or comparison takes, ..."""
INT32_RANGE = range(-(1 << 31), 1 << 31)
"""... and those that a column of integers keeps."""
DRIVER_ERRORS = (DataError, OverflowError, UnicodeEncodeError)
"""What drivers raise for values that they cannot send."""


class BadValue(UsageError):
    """A value cannot be kept or looked for: it is too long or too large, or has a NUL in it."""


def refuse_unstorable(engine: Engine) -> None:
    """Let statements of an engine raise BadValue for what no database of ours can keep."""

    @event.listens_for(engine, "before_cursor_execute")
    def look(
        connection: object,
        cursor: object,
        statement: str,
        parameters: object,
        context: DefaultExecutionContext,
        executemany: bool,
    ) -> None:
        if context is not None and context.compiled is not None:
            for column, value in _statement_values(context):
                _require_storable(column, value)

    @event.listens_for(engine, "handle_error")
    def name(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, DRIVER_ERRORS) or isinstance(
            context.sqlalchemy_exception, DataError
        ):
            raise bad_value(context.original_exception) from context.original_exception


def _statement_values(
    context: DefaultExecutionContext,
) -> Iterator[tuple[Column[object] | None, object]]:
    """Yield the values of a statement, each with the column that it is written to, if any."""
    assert context.compiled is not None
    table = getattr(context.compiled.compile_state, "dml_table", None)
    columns = {} if table is None else table.c
    for row in context.compiled_parameters:
        for name, value in row.items():
            yield columns.get(name), value


def bad_value(error: BaseException) -> BadValue:
    """Return what a driver says of a value that it cannot send, or its database not take."""
    return BadValue(f"this cannot be kept: {' '.join(str(error).split())}")


def require_storable(value: object) -> None:
    """Raises: BadValue for what can be looked for in no database of ours."""
    _require_storable(None, value)


def _require_storable(column: Column[object] | None, value: object) -> None:
    """Raises: BadValue."""
    if isinstance(value, str):
        _require_text(column, value)
    elif isinstance(value, int):
        is_short = column is not None and isinstance(column.type, Integer)
        if value not in (INT32_RANGE if is_short else INT64_RANGE):
            raise BadValue(f"{_column_name(column)}: this number is too large")


def _require_text(column: Column[object] | None, text: str) -> None:
    if "\0" in text:
        raise BadValue(f"{_column_name(column)}: has a NUL character in it, which is not allowed")
    most = column.type.length if column is not None and isinstance(column.type, String) else None
    if most is not None and len(text) > most:
        message = f"at most {pluralize(most, 'letter')}; this has {len(text)}"
        raise BadValue(f"{_column_name(column)}: {message}")


def _column_name(column: Column[object] | None) -> str:
    return "a value" if column is None else str(column)
