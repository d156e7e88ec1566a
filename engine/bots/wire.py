"""The messages between a seat and its worker: one line of JSON each, of plain values alone.

Engine to worker: a `Start`, then asks `[nonce, events, about, view]`. Worker to engine: a
`Reply` to each, which must carry its nonce: so a late or forged answer is recognized.

The encoder takes much more than that: bytes become base64, dates and sets something else again.
Numbers, texts and arrays of numpy are sent as Python's own.
"""

from enum import Enum
from math import isfinite
from typing import Any

import msgspec

from engine.bot_output import ASK_BYTES
from engine.bot_output_api import NO_OUTPUT
from engine.bots.programs.becoming import Program
from engine.bots.sandbox import Confinement
from engine.fault import Cause
from engine.limits import Limits
from engine.support.plain_values import from_numpy

START_NONCE = 0
SHORT_BYTES = 400
"""What is read of a line first: Python has so few bytes at hand, and needs malloc for more."""
REPLY_OVERHEAD = 2_048
"""Bytes a reply may have beyond the answer: its nonce, or the words of a problem."""
NOTES_BYTES = ASK_BYTES + 100
"""Bytes of notes that a reply may have beyond that."""

BROKEN_STATUS = 70
"""Exit code of a worker that cannot be resumed (the bot broke its board, its pipe, its Python)."""
OUT_OF_MEMORY_STATUS = 71
"""Exit code of a worker whose bot has left it no memory."""
PLAIN_TYPES = frozenset({str, int, bool, type(None)})
EXPECTED = "expected a string, a number, True, False, None, or a list, tuple or dict of these"


class Start(msgspec.Struct):
    """All a worker needs to make its player.

    `state` is a snapshot: a worker that replaces a broken one starts from the present
    board, however long the match has been.
    """

    game: str
    bot: str
    """Path of the private copy: `.../bot.py` or `.../bot/__init__.py`."""
    name: str
    team: int
    seed: int
    confinement: Confinement
    packages: tuple[str, ...]
    limits: Limits
    state: msgspec.Raw
    program: Program | None = None
    """What the worker becomes, for a bot that is a program."""


class Problem(msgspec.Struct, array_like=True):
    """Why there is no answer. A bot can forge one: the seat asks whether the cause can be."""

    cause: Cause
    detail: str


class Reply(msgspec.Struct, array_like=True):
    """What the bot answered, or the problem it had."""

    nonce: int
    answer: object = None
    problem: Problem | None = None
    notes: msgspec.Raw = NO_OUTPUT
    """What the bot drew and logged; anything at all, if the bot forged it."""


class NotPlain(Exception):
    """An answer is, or holds, what cannot be sent; the message names it."""


def to_plain_value(answer: Any) -> object:
    """Return the answer as it is sent. Raises: NotPlain, RecursionError."""
    kind = type(answer)  # `isinstance` would ask the answer itself, which may lie
    if kind in PLAIN_TYPES:
        return answer
    if kind is list or issubclass(kind, tuple):
        return [to_plain_value(item) for item in answer]
    if kind is dict:
        return {_require_text_key(key): to_plain_value(value) for key, value in answer.items()}
    if kind is float:
        if not isfinite(answer):
            raise NotPlain(f"{answer} is not a number that can be sent; {EXPECTED}")
        return answer
    if _is_enum_of(kind, (str, int)):
        return answer
    own = from_numpy(answer)
    if own is answer:
        raise NotPlain(f"'{_type_name(kind)}' is not an order; {EXPECTED}")
    return to_plain_value(own)


def _is_enum_of(kind: type, values: type | tuple[type, ...]) -> bool:
    """Return whether its members are such values under other names, as those of a StrEnum are."""
    return issubclass(kind, Enum) and issubclass(kind, values)


def _require_text_key(key: object) -> object:
    """Return a key of a dict. Raises: NotPlain unless it is a text."""
    key = from_numpy(key)
    kind = type(key)
    if kind is not str and not _is_enum_of(kind, str):
        raise NotPlain(f"a key of a dict must be a string, not '{_type_name(kind)}'")
    return key


def _type_name(kind: type) -> str:
    """Return the name of a type as authors know it: `bytes`, `numpy.longdouble`."""
    name, module = kind.__name__, kind.__module__
    return name if module == "builtins" else f"{module.partition('.')[0]}.{name}"
