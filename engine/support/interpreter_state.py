"""What Python has once for all threads of a process, and one of them may use at a time.

Syntax trees are made with a counter of the interpreter, which a second thread disturbs: `ast.parse`
then raises SystemError (github.com/python/cpython/issues/106905). Tracebacks are parsed, too, as
they are formatted. Filters of warnings are one list, which whoever changes it puts back.
"""

import ast
import os
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

ONE_THREAD = threading.RLock()
"""Held by whoever does any of this, or has a library do it."""
if hasattr(os, "register_at_fork"):  # a fork has none of the threads that would release it
    os.register_at_fork(
        before=ONE_THREAD.acquire,
        after_in_parent=ONE_THREAD.release,
        after_in_child=ONE_THREAD.release,
    )


def parse_module(source: str | bytes) -> ast.Module:
    """Do as `ast.parse`. Raises: what that raises."""
    with ONE_THREAD:
        return ast.parse(source)


def parse_expression(text: str) -> ast.expr:
    """Return an expression. Raises: what `ast.parse` raises."""
    with ONE_THREAD:
        return ast.parse(text, mode="eval").body


def format_traceback(error: BaseException) -> str:
    """Return an error with its traceback, as Python prints it."""
    with ONE_THREAD:
        return "".join(traceback.format_exception(error)).rstrip()


@contextmanager
def ignore_warnings() -> Iterator[None]:
    """Ignore warnings in the block."""
    with ONE_THREAD, warnings.catch_warnings(action="ignore"):
        yield
