"""Why a bot gave no usable order: always with the true cause."""

from enum import StrEnum
from typing import final

import msgspec


class Cause(StrEnum):
    """What went wrong, in the words results and replays use."""

    SYNTAX_ERROR = "syntax error"
    IMPORT_ERROR = "import error"
    NO_PLAYER = "no Player class"
    WRONG_TYPE = "wrong type"
    LOAD_ERROR = "load error"
    LOAD_TIMEOUT = "load timeout"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    SLEPT = "slept"
    PONDERED = "pondered"
    BANK_EMPTY = "bank empty"
    EXIT = "exit"
    SIGNAL = "signal"
    OUT_OF_MEMORY = "out of memory"
    FORBIDDEN = "forbidden operation"
    UNREADABLE = "unreadable answer"
    ILLEGAL = "illegal order"
    OUT = "out of the match"


OF_ANY_EXCEPTION = frozenset({Cause.OUT_OF_MEMORY, Cause.EXIT, Cause.FORBIDDEN})
"""What an exception can come down to, whenever it comes."""
OF_LOADING = OF_ANY_EXCEPTION | {
    Cause.SYNTAX_ERROR,
    Cause.IMPORT_ERROR,
    Cause.NO_PLAYER,
    Cause.WRONG_TYPE,
    Cause.LOAD_ERROR,
}
"""What a worker may report instead of being ready; all else is for the engine to find out."""
OF_A_CALL = OF_ANY_EXCEPTION | {Cause.EXCEPTION, Cause.UNREADABLE}
"""What a worker may report instead of an answer."""


@final
class Fault(msgspec.Struct, frozen=True):
    """A bot gave no usable order. `detail` is one line, for people.

    `type(order) is Fault` asks for it on the way of every order: `isinstance` takes five times
    as long for a struct.
    """

    cause: Cause
    detail: str = ""
