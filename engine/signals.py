"""Holding back the signals that end us."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def signals_held() -> Iterator[None]:
    """What must not be cut in two. A signal that comes meanwhile is heard afterwards.

    A process started meanwhile is born deaf to them. They are held from this thread alone:
    another thread that hears them would have our handlers called all the same.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
