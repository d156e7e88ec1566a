"""Warnings that strangers can cause: one line a minute of each kind, however many there are."""

import logging
import time
from collections.abc import Callable

from engine.support.interpreter_state import traceback_of

PAUSE_S = 60.0
"""Time between two lines of a kind."""


class OncePerMinute(logging.Filter):
    """Lets the first of equal warnings through, and then one a minute, with how many there were.

    Errors with a traceback always pass: they are ours.
    """

    def __init__(self, passed: Callable[[], float] = time.monotonic) -> None:
        """`passed`: seconds since some moment."""
        super().__init__()
        self._passed = passed
        self._said_at: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged. Equal are those of one text without its values."""
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text = traceback_of(record.exc_info[1])
            return True
        if record.levelno < logging.WARNING:
            return True
        kind, now = str(record.msg), self._passed()
        if now - self._said_at.get(kind, -PAUSE_S) < PAUSE_S:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._said_at[kind] = now
        if left_out := self._left_out.pop(kind, 0):
            record.msg = f"{record.getMessage()} (and {left_out} times more since it was said last)"
            record.args = ()
        return True
