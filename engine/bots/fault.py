"""Why a bot gave no usable order: always with the true cause."""

from enum import StrEnum

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
    BANK_EMPTY = "bank empty"
    EXIT = "exit"
    SIGNAL = "signal"
    OUT_OF_MEMORY = "out of memory"
    UNREADABLE = "unreadable answer"
    ILLEGAL = "illegal order"
    OUT = "out of the match"


CANNOT_START = frozenset(
    {
        Cause.SYNTAX_ERROR,
        Cause.IMPORT_ERROR,
        Cause.NO_PLAYER,
        Cause.WRONG_TYPE,
        Cause.LOAD_ERROR,
        Cause.LOAD_TIMEOUT,
    }
)


class Fault(msgspec.Struct, frozen=True):
    """A bot gave no usable order. `detail` is one line, for people."""

    cause: Cause
    detail: str = ""
