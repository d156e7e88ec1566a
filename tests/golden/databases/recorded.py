"""What was read of each golden database, recorded beside it."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WIDTH = 400
"""Characters of a line: a match, or a row of a table, is one."""


def record_path(name: str) -> Path:
    return HERE / f"{name}.json"


def load_record(name: str) -> Any:
    return json.loads(record_path(name).read_text(encoding="utf-8"))


def record(name: str, content: dict[str, Any]) -> None:
    """Write it in lines that are neither too long nor too many."""
    record_path(name).write_text(_lines(content) + "\n", encoding="utf-8")


def plain(value: Any) -> Any:
    """Return it as it is read again: tuples become lists."""
    return json.loads(json.dumps(value))


def _lines(value: Any, indent: str = "") -> str:
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) < WIDTH or not isinstance(value, dict | list) or not value:
        return compact
    if isinstance(value, list):
        inner = [_lines(one, indent + " ") for one in value]
        return _join("[]", inner, indent)
    inner = [f"{json.dumps(key)}: {_lines(one, indent + ' ')}" for key, one in value.items()]
    return _join("{}", inner, indent)


def _join(brackets: str, inner: list[str], indent: str) -> str:
    between = f",\n{indent} "
    return f"{brackets[0]}\n{indent} {between.join(inner)}\n{indent}{brackets[1]}"
