"""What databases tell of their tables."""

from sqlalchemy import Connection, inspect


def describe_tables(connection: Connection) -> dict[str, str]:
    """Return columns, keys and indexes of all tables, as the database tells them."""
    seen = inspect(connection)
    return {
        table: str(
            (
                [{**column, "type": str(column["type"])} for column in seen.get_columns(table)],
                seen.get_pk_constraint(table)["constrained_columns"],
                seen.get_foreign_keys(table),
                sorted(
                    f"{index['name']} {index['column_names']} {index['unique']} "
                    f"{[str(value) for value in index.get('dialect_options', {}).values()]}"
                    for index in seen.get_indexes(table)
                ),
                sorted(seen.get_unique_constraints(table), key=str),
            )
        )
        for table in sorted(seen.get_table_names())
    }
