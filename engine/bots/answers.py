"""The values that a bot may answer: plain ones alone, so that what is sent is what was meant.

The encoder takes much more than that: bytes become base64, dates and sets something else again.
Numbers, texts and arrays of numpy are sent as Python's own.
"""

from enum import Enum
from math import isfinite
from typing import Any

from engine.support.plain_values import from_numpy

PLAIN = frozenset({str, int, bool, type(None)})
EXPECTED = "expected a string, a number, True, False, None, or a list, tuple or dict of these"


class NotPlain(Exception):
    """An answer is, or holds, what cannot be sent; the message names it."""


def plain(answer: Any) -> object:
    """Return the answer as it is sent. Raises: NotPlain, RecursionError."""
    kind = type(answer)  # `isinstance` would ask the answer itself, which may lie
    if kind in PLAIN:
        return answer
    if kind is list or issubclass(kind, tuple):
        return [plain(item) for item in answer]
    if kind is dict:
        return {_text(key): plain(value) for key, value in answer.items()}
    if kind is float:
        if not isfinite(answer):
            raise NotPlain(f"{answer} is not a number that can be sent; {EXPECTED}")
        return answer
    if _is_enum_of(kind, (str, int)):
        return answer
    own = from_numpy(answer)
    if own is answer:
        raise NotPlain(f"'{_name_of(kind)}' is not an order; {EXPECTED}")
    return plain(own)


def _is_enum_of(kind: type, values: type | tuple[type, ...]) -> bool:
    """Return whether its members are such values under other names, as those of a StrEnum are."""
    return issubclass(kind, Enum) and issubclass(kind, values)


def _text(key: Any) -> Any:
    """Return a key of a dict. Raises: NotPlain unless it is a text."""
    key = from_numpy(key)
    kind = type(key)
    if kind is not str and not _is_enum_of(kind, str):
        raise NotPlain(f"a key of a dict must be a string, not '{_name_of(kind)}'")
    return key


def _name_of(kind: type) -> str:
    """Return the name of a type as authors know it: `bytes`, `numpy.longdouble`."""
    name, module = kind.__name__, kind.__module__
    return name if module == "builtins" else f"{module.partition('.')[0]}.{name}"
