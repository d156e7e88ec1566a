"""Rows as a table of HTML, or as a data frame of a library that may be installed."""

from collections.abc import Sequence
from html import escape
from importlib import import_module
from typing import Any

from engine.errors import UsageError

Row = dict[str, Any]

MOST_ROWS = 200
"""The rows of a table that are shown."""


def polars_frame(rows: Sequence[Row]) -> Any:
    """Return rows as a polars.DataFrame. Raises: UsageError if polars is not installed."""
    return _library("polars").DataFrame(list(rows), infer_schema_length=None)


def pandas_frame(rows: Sequence[Row]) -> Any:
    """Return rows as a pandas.DataFrame. Raises: UsageError if pandas is not installed."""
    return _library("pandas").DataFrame(list(rows))


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(
            f"{name} is not installed: pip install {name}; `rows` has the same as a list of dicts"
        ) from error


def html_table(rows: Sequence[Row], caption: str = "") -> str:
    """Return rows as a table of HTML; every text in it is escaped."""
    columns = list(rows[0]) if rows else []
    heads = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = [
        "".join(f"<td>{escape(_shown(row[name]))}</td>" for name in columns)
        for row in rows[:MOST_ROWS]
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    more = len(rows) - len(lines)
    words = [caption, f"{more} more rows" if more > 0 else "", "" if rows else "nothing yet"]
    title = "; ".join(filter(None, words))
    return (
        f"<table><caption>{escape(title)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
