"""Typed settings from TOML files and K=V words, refused with a list of what is possible."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from engine.errors import BadSettings

S = TypeVar("S", bound=msgspec.Struct)


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises: BadSettings, naming the file and the place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # no TOML, no UTF-8, or a number without end
        raise BadSettings(f"{path}: is no valid TOML: {error}") from error


def changed(settings: S, changes: Mapping[str, Any], *, source: str) -> S:
    """A copy of `settings` with `changes`, checked as a whole.

    Raises: BadSettings, naming `source` (a file or an option) and what is possible.
    """
    for name in changes:
        if name not in settings.__struct_fields__:
            raise BadSettings(
                f"{source}: unknown setting '{name}'; possible are:\n{listing(settings)}"
            )
    merged = {**msgspec.structs.asdict(settings), **changes}
    try:
        return msgspec.convert(merged, type(settings))
    except msgspec.ValidationError as error:
        raise BadSettings(f"{source}: {_with_values(str(error), changes)}") from error


def parse_words(words: Iterable[str], *, option: str) -> dict[str, Any]:
    """`["rows=20", ...]` -> `{"rows": 20}`; values read as the field's type."""
    changes = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise BadSettings(f"{option} {word}: expected NAME=VALUE, for example {option} rows=20")
        changes[name.strip()] = _read_value(text.strip())
    return changes


def listing(settings: msgspec.Struct) -> str:
    """A line per field: name, present value, meaning and unit."""
    lines = []
    for field in inspect.type_info(type(settings)).fields:  # type: ignore[attr-defined]
        value = getattr(settings, field.name)
        lines.append(f"  {field.name} = {_as_text(value)}  {_meaning(field.type)}")
    return "\n".join(lines)


def _read_value(text: str) -> Any:
    """A TOML value, or the bare word itself."""
    try:
        table = tomllib.loads(f"value = {text}")
    except ValueError:
        return text
    return table["value"] if len(table) == 1 else text  # one value, not lines of them


def _as_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _meaning(kind: inspect.Type) -> str:
    if not isinstance(kind, inspect.Metadata):
        return ""
    return str((kind.extra_json_schema or {}).get("description", ""))


def _with_values(message: str, changes: Mapping[str, Any]) -> str:
    """msgspec names the path (`$.rows`); a reader wants the setting and its value."""
    text, _, path = message.partition(" - at `$.")
    name = path.rstrip("`")
    if name in changes:
        return f"{name} = {_as_text(changes[name])}: {text.lower().replace('`', '')}"
    return message
