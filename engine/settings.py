"""Read typed settings from TOML files and K=V words; refusals list what is possible."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from engine.errors import BadSettings
from engine.support.files import read_file
from engine.support.sanitizing import one_line
from engine.support.text_decoding import decode_text
from engine.support.wording import did_you_mean

S = TypeVar("S", bound=msgspec.Struct)

MAX_BYTES = 1_000_000
"""The largest file of settings that is read, bytes."""
TYPE_PATTERN = re.compile("`(.+?)`")
TYPE_NAMES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "a table",
}
"""What a type is called in a message, by its name in msgspec's."""
MAX_DOTS = 100
"""The most dots in a line: Python's parser takes quadratic time for a key of many parts."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file. Raises: BadSettings, naming the file and the place."""
    try:
        text = decode_text(read_file(path, MAX_BYTES))
        _require_short_keys(text)
        tables = tomllib.loads(text)
        repr(tables)  # dots in a name nest as brackets do, and only this minds how deep
    except OSError as error:
        raise BadSettings(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # no TOML, no UTF-8, or a number without end
        raise BadSettings(f"{path}: is not valid TOML: {one_line(error)}") from error
    except RecursionError as error:
        raise BadSettings(f"{path}: is nested too deeply; settings have one level") from error
    return tables


def _require_short_keys(text: str) -> None:
    """Raises: ValueError for a key of so many parts that reading it takes seconds (`a.a.a...`)."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MAX_DOTS:
            raise ValueError(f"line {number} has more than {MAX_DOTS} dots")


def apply_changes(settings: S, changes: Mapping[str, object], *, source: str) -> S:
    """Return a copy of `settings` with `changes`, checked as a whole.

    Raises: BadSettings, naming `source` (a file or an option) and what is possible.
    """
    known = settings.__struct_fields__
    for name in changes:
        if name not in known:
            hint = did_you_mean(name, known, before="\n")
            raise BadSettings(
                f"{source}: unknown setting '{name}'; possible are:\n"
                f"{settings_table(settings)}{hint}"
            )
    merged = {**msgspec.structs.asdict(settings), **changes}
    try:
        return msgspec.convert(merged, type(settings))
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the latter: no UTF-8
        raise BadSettings(f"{source}: {_name_setting(str(error), changes)}") from error


def parse_words(assignments: Iterable[str], *, option: str) -> dict[str, object]:
    """Parse `["rows=20", ...]` into `{"rows": 20}`; values are read as the field's type."""
    changes = {}
    for word in assignments:
        name, equals, text = word.partition("=")
        if not equals:
            raise BadSettings(f"{option} {word}: expected NAME=VALUE, for example {option} rows=20")
        changes[name.strip()] = read_value(text.strip())
    return changes


def settings_table(settings: msgspec.Struct) -> str:
    """Return a line per field: name, present value, meaning and unit."""
    lines = []
    for field in inspect.type_info(type(settings)).fields:  # type: ignore[attr-defined]
        value = getattr(settings, field.name)
        lines.append(f"  {field.name} = {_encode_text(value)}  {field_description(field.type)}")
    return "\n".join(lines)


def read_value(text: str) -> object:
    """Return a TOML value, or the bare word itself."""
    try:
        table = tomllib.loads(f"value = {text}")
        repr(table)
    except (ValueError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text  # one value, not lines of them


def _encode_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def field_description(kind: inspect.Type) -> str:
    """Return what a field means, and its unit, as it is said where it is defined."""
    if not isinstance(kind, inspect.Metadata):
        return ""
    return str((kind.extra_json_schema or {}).get("description", ""))


def _name_setting(message: str, changes: Mapping[str, object]) -> str:
    """Name the setting and its value, where msgspec names the path (`$.rows`)."""
    text, _, path = message.partition(" - at `$.")
    name = path.rstrip("`")
    if name in changes:
        text = TYPE_PATTERN.sub(_name_types, text.lower())
        return f"{name} = {_encode_text(changes[name])}: {text}"
    return message


def _name_types(found: re.Match[str]) -> str:
    return " or ".join(TYPE_NAMES.get(part, part) for part in found[1].split(" | "))
