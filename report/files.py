"""Everything in a report as CSV and as JSON, row by row."""

import csv
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import msgspec

from engine.support.sanitizing import escape_formula

Value = str | float | bool | None
Row = Mapping[str, Value]


class TableFile:
    """A table in two files beside each other: NAME.csv and NAME.json. A context."""

    def __init__(self, folder: Path, name: str) -> None:
        self._paths = [folder / f"{name}.{kind}" for kind in ("csv", "json")]
        self._open = ExitStack()
        self._is_empty = True

    def __enter__(self) -> Self:
        files = (
            self._open.enter_context(path.open("w", encoding="utf-8", newline=""))
            for path in self._paths
        )
        self._csv, self._json = files
        self._lines = csv.writer(self._csv)
        self._json.write("[")
        return self

    def __exit__(self, *exception: object) -> None:
        self._json.write("\n]\n")
        self._open.close()

    def add(self, row: Row) -> None:
        """Write a row; all rows have the same columns."""
        if self._is_empty:
            self._lines.writerow(row)
        self._lines.writerow([escape_formula(value) for value in row.values()])
        self._json.write("\n" if self._is_empty else ",\n")
        self._json.write(msgspec.json.encode(row).decode())
        self._is_empty = False


def write_table(folder: Path, name: str, rows: Iterable[Row]) -> None:
    with TableFile(folder, name) as table:
        for row in rows:
            table.add(row)
