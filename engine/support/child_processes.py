"""Start processes of ours where Python would not: in daemonic ones, as pools of workers have."""

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_starting = Lock()
"""Held while the flag is changed: threads start processes side by side."""


def _renew_lock() -> None:
    """Begin without the lock of another thread, which a fork has not."""
    global _starting  # noqa: PLW0603 - one for the process
    _starting = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


@contextmanager
def allow_children() -> Iterator[None]:
    """Let a worker of a `multiprocessing.Pool` start a process that ends with its pipe to us.

    Python forbids children to daemonic processes as they could outlive one that is terminated.
    """
    process = multiprocessing.current_process()
    with _starting:
        is_daemon, process.daemon = process.daemon, False
        try:
            yield
        finally:
            process.daemon = is_daemon
