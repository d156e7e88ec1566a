"""Define faults: why a bot gave no usable order, always with the true cause."""

from enum import StrEnum
from typing import final

import msgspec


class Cause(StrEnum):
    """The cause of a fault, in the words that results and replays use."""

    SYNTAX_ERROR = "syntax error"
    IMPORT_ERROR = "import error"
    NO_PLAYER = "no Player class"
    WRONG_TYPE = "wrong type"
    WRONG_METHOD = "wrong method"
    LOAD_ERROR = "load error"
    LOAD_TIMEOUT = "load timeout"
    BUILD_ERROR = "build error"
    """Its program could not be built, or is not allowed here."""
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    SLEPT = "slept"
    PONDERED = "pondered"
    BANK_EMPTY = "bank empty"
    EXIT = "exit"
    SIGNAL = "signal"
    UNREACHABLE = "unreachable"
    """There is no connection with a bot that is asked over HTTP."""
    OUT_OF_MEMORY = "out of memory"
    FORBIDDEN = "forbidden operation"
    UNREADABLE = "unreadable answer"
    ILLEGAL = "illegal order"
    OUT = "out of the match"
    LATE = "late"
    """A person did not order in time."""
    ABSENT = "absent"
    """Nobody sat there."""
    RESIGNED = "resigned"


OF_ANY_EXCEPTION = frozenset({Cause.OUT_OF_MEMORY, Cause.EXIT, Cause.FORBIDDEN})
"""The causes of exceptions that can come at any time."""
OF_LOADING = OF_ANY_EXCEPTION | {
    Cause.SYNTAX_ERROR,
    Cause.IMPORT_ERROR,
    Cause.NO_PLAYER,
    Cause.WRONG_TYPE,
    Cause.WRONG_METHOD,
    Cause.LOAD_ERROR,
}
"""The causes a worker may report instead of being ready; the engine finds out all others."""
OF_A_CALL = OF_ANY_EXCEPTION | {Cause.EXCEPTION, Cause.UNREADABLE}
"""The causes a worker may report instead of an answer."""


@final
class Fault(msgspec.Struct, frozen=True):
    """A bot gave no usable order. `detail` is one line, for people.

    `type(order) is Fault` asks for it on the way of every order: `isinstance` takes five times
    as long for a struct.
    """

    cause: Cause
    detail: str = ""
