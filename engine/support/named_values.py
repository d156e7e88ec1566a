"""Structs as dictionaries, for programs that know nothing of our types."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec


def named(value: Any, kind: type[dict[Any, Any]] = dict) -> Any:
    """Return dictionaries in place of structs, each field by its name, however deep they are.

    `kind`: the type of the dictionaries. Tuples and sets become lists, and enums their values.
    """
    if isinstance(value, msgspec.Struct):
        return kind(
            (field, named(getattr(value, field), kind)) for field in value.__struct_fields__
        )
    if isinstance(value, Mapping):
        return kind((key, named(inner, kind)) for key, inner in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return [named(inner, kind) for inner in value]
    return value.value if isinstance(value, Enum) else value
