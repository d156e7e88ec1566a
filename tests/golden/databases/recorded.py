"""What was read of each golden database, recorded beside it."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WIDTH = 400
"""Characters of a line: a match, or a row of a table, is one."""


def path_of(name: str) -> Path:
    return HERE / f"{name}.json"


def recorded(name: str) -> Any:
    return json.loads(path_of(name).read_text(encoding="utf-8"))


def record(name: str, content: dict[str, Any]) -> None:
    """Write it in lines that are neither too long nor too many."""
    path_of(name).write_text(_lines(content) + "\n", encoding="utf-8")


def plain(value: Any) -> Any:
    """Return it as it is read again: tuples become lists."""
    return json.loads(json.dumps(value))


def _lines(value: Any, indent: str = "") -> str:
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) < WIDTH or not isinstance(value, dict | list) or not value:
        return compact
    if isinstance(value, list):
        inner = [_lines(one, indent + " ") for one in value]
        return _joined("[]", inner, indent)
    inner = [f"{json.dumps(key)}: {_lines(one, indent + ' ')}" for key, one in value.items()]
    return _joined("{}", inner, indent)


def _joined(brackets: str, inner: list[str], indent: str) -> str:
    between = f",\n{indent} "
    return f"{brackets[0]}\n{indent} {between.join(inner)}\n{indent}{brackets[1]}"
