"""The tables of docs/writing_a_bot.md and docs/writing_an_army.md, and the types in the code."""

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from bootstrap import HOME

TYPE = "type"
"""The heading of the column of types."""
SAME = {
    "Cell": "tuple[int, int]",
    "Displacement": "tuple[int, int]",
    "Piece": "Rock | Plant | Slime",
    "Order": "~O",
    "Event": "~E",
}
"""What the documents call by a shorter name than Python does."""


class Row(NamedTuple):
    """A row of a table of the API."""

    names: tuple[str, ...]
    types: tuple[str, ...]


def tables(document: str) -> list[list[Row]]:
    """Return the tables of a document that have a column of types, in order."""
    lines = (HOME / "docs" / document).read_text(encoding="utf-8").splitlines()
    found: list[list[Row]] = []
    column: int | None = None
    for line in lines:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            column = None
        elif TYPE in cells:
            column = cells.index(TYPE)
            found.append([])
        elif column is not None and not set(line) <= set("|-:"):
            found[-1].append(Row(_names(cells[0]), _codes(cells[column])))
    return found


def _codes(cell: str) -> tuple[str, ...]:
    return tuple(code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", cell))


def _names(cell: str) -> tuple[str, ...]:
    """Return the names in a cell: `nearest` of `self.board.nearest(piece, among)`."""
    return tuple(code.partition("(")[0].split(".")[-1] for code in _codes(cell))


def public_names(kind: type, but: frozenset[str]) -> set[str]:
    """Return what of a class is there for bots, without old spellings."""
    own = [base for base in kind.__mro__ if base.__module__.startswith("engine.")]
    names = {name for base in own for name in (*vars(base), *getattr(base, "__annotations__", {}))}
    return {name for name in names if not name.startswith("_")} - but


def type_in_documents(kinds: tuple[type, ...], name: str) -> str:
    """Return the type of a value, or of what a call returns, as the documents write it."""
    kind = next(kind for kind in kinds if hasattr(kind, name) or name in _annotations(kind))
    value = inspect.getattr_static(kind, name, None)
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, cached_property):
        value = value.func
    if inspect.isfunction(value):
        return in_full(inspect.formatannotation(inspect.signature(value).return_annotation))
    return in_full(inspect.formatannotation(_annotations(kind)[name]))


def _annotations(kind: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        found |= inspect.get_annotations(base)
    return found


def in_full(words: str) -> str:
    """Return a type without modules, and without names that stand for others."""
    words = re.sub(r"(?:\w+\.)+(?=[A-Za-z_~])", "", words.strip("'"))
    words = re.sub(r"(Simulation|Simulator)\[[^\]]*\]", r"\1", words)
    words = re.sub(r"Optional\[(.*)\]", r"\1 | None", words)
    for name, whole in SAME.items():
        words = re.sub(rf"(?<![\w~]){name}\b", whole, words)
    return words.replace("~P", "Rock | Plant | Slime").replace("ClassVar[str]", "str")


def types_of_row(kinds: tuple[type, ...], row: Row) -> Iterator[tuple[str, str, str]]:
    """Yield each name of a row with the type that stands there, and that of the code."""
    types = row.types * len(row.names) if len(row.types) == 1 else row.types
    for name, words in zip(row.names, types, strict=True):
        yield name, in_full(words), type_in_documents(kinds, name)
