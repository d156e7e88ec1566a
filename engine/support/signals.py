"""Hold signals: a Ctrl-C ends a program quietly, and never in the middle of a change.

Entry points import this before all else, so it needs next to nothing itself; and an old Python must
get past it, to be told that it is too old: hence the quotes around types.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED_EXIT_CODE = 130
"""The exit code of a program that Ctrl-C ended."""


@contextmanager
def deferring_signals() -> "Iterator[None]":
    """Hold what must not be interrupted; a signal that comes meanwhile is delivered afterwards.

    A process started meanwhile begins with these signals blocked. They are blocked in this thread
    alone: another thread that gets one would have our handlers called all the same.
    """
    if sys.platform == "win32":  # which has no pthread_sigmask
        yield
    else:
        held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_quietly() -> None:
    """End the process at once on a Ctrl-C while it still imports what it needs.

    Nothing has begun by then that could be cut in two; the command line installs handlers of its
    own. An exception would not do: Python may swallow it while it imports a module.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored
        signal.signal(signal.SIGINT, _end)
    if sys.platform != "win32":  # bootstrap.py holds it back while it starts us again
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end(signum: int, frame: object) -> None:
    os.write(2, b"stopped\n")
    os._exit(INTERRUPTED_EXIT_CODE)
