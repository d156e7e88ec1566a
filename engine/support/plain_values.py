"""Convert what bots hand over to Python's own values; those of numpy are values, too."""

from operator import index
from typing import Any

FROM_NUMPY = "numpy"


def from_numpy(value: Any) -> Any:
    """Return a number, text or array of numpy as Python's own; all else as it is."""
    kind = type(value)  # `isinstance` would ask the value itself, which may lie
    if str(kind.__module__).partition(".")[0] != FROM_NUMPY or not hasattr(kind, "tolist"):
        return value
    own = value.tolist()
    return value if type(own) is kind else own  # it has numbers that Python has not


def as_whole_number(value: object) -> int | None:
    """Return a whole number, `3`, `numpy.int64(3)` or `3.0`, as Python's own; None for others."""
    if type(value) is int:
        return value
    own = from_numpy(value)
    if type(own) is float and own.is_integer():
        return int(own)
    if type(own) is bool:
        return None  # to Python it is a number, but nobody means one
    try:
        return index(own)
    except TypeError:
        return None


def require_whole(value: object, what: str) -> int:
    """Return a whole number as Python's own. Raises: TypeError, naming what is expected to be."""
    number = as_whole_number(value)
    if number is None:
        raise TypeError(f"{what} is a whole number, not {value!r:.60}")
    return number
