"""A list of whom to invite, as it is typed or copied from a spreadsheet."""

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence

from engine.support.sanitizing import harmless, one_line
from runners.storage.tables import name_key

MOST_NAMES = 200
MOST_LETTERS = 60


class BadList(Exception):
    """What is wrong with a list, and in which line."""


def read_names(text: str) -> list[str]:
    """Return the names in a list: a line each, of tables the first column. Raises: BadList."""
    lines: dict[str, int] = {}
    names = []
    for number, line in enumerate(text.splitlines(), 1):
        name = _first_column(line)
        if not name:
            continue
        if len(name) > MOST_LETTERS:
            raise BadList(f"line {number}: a name has at most {MOST_LETTERS} letters")
        before = lines.setdefault(name_key(name), number)
        if before != number:
            raise BadList(f"{name} stands in the list twice, in lines {before} and {number}")
        names.append(name)
    if not 1 <= len(names) <= MOST_NAMES:
        raise BadList(f"expected a list of 1 to {MOST_NAMES} names, and this one has {len(names)}")
    return names


def table_of(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a CSV file that spreadsheets open, with names of every script."""
    content = io.StringIO(newline="")
    lines = csv.writer(content)
    lines.writerow(titles)
    lines.writerows([harmless(value) for value in row] for row in rows)
    return BOM_UTF8 + content.getvalue().encode()


def _first_column(line: str) -> str:
    """Return what stands before the first tab or semicolon: a comma may be part of a name."""
    return one_line(re.split(r"[\t;]", line, maxsplit=1)[0]).strip()
