"""The values that a bot may answer: plain ones alone, so that what is sent is what was meant.

The encoder takes much more than that: bytes become base64, dates and sets something else again.
"""

from enum import Enum
from math import isfinite
from typing import Any

PLAIN = frozenset({str, int, bool, type(None)})
EXPECTED = "expected a string, a number, True, False, None, or a list, tuple or dict of these"


class NotPlain(Exception):
    """An answer is, or holds, what cannot be sent; the message names it."""


def plain(answer: Any) -> object:
    """Return the answer itself. Raises: NotPlain, RecursionError."""
    kind = type(answer)  # `isinstance` would ask the answer itself, which may lie
    if kind is list or issubclass(kind, tuple):
        for item in answer:
            plain(item)
    elif kind is dict:
        for key, value in answer.items():
            _require_text(type(key))
            plain(value)
    elif kind is float:
        if not isfinite(answer):
            raise NotPlain(f"{answer} is not a number that can be sent; {EXPECTED}")
    elif kind not in PLAIN and not _is_enum_of(kind, (str, int)):
        raise NotPlain(f"'{_name_of(kind)}' is not an order; {EXPECTED}")
    return answer


def _is_enum_of(kind: type, values: type | tuple[type, ...]) -> bool:
    """Return whether its members are such values under other names, as those of a StrEnum are."""
    return issubclass(kind, Enum) and issubclass(kind, values)


def _require_text(kind: type) -> None:
    if kind is not str and not _is_enum_of(kind, str):
        raise NotPlain(f"a key of a dict must be a string, not '{_name_of(kind)}'")


def _name_of(kind: type) -> str:
    """Return the name of a type as authors know it: `bytes`, `numpy.str_`."""
    name, module = kind.__name__, kind.__module__
    return name if module == "builtins" else f"{module.partition('.')[0]}.{name}"
