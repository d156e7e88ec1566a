"""A worker's place among the processes."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# The numbers of prctl(2).
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
# capset(2): 64 capabilities, three masks of two words each.
CAPABILITY_VERSION = 0x20080522
CAPABILITY_WORDS = 6

# Looked up here, before the forks: no worker spends its time on it.
PRCTL = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None


def stand_alone() -> None:
    """End with the process that started this one; gain no rights; be read by nobody."""
    die_with_parent()
    close_memory()
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> None:
    """End with the process that started this one, even if it was killed (Linux).

    Source: prctl(2). It follows the parent's *thread*, so workers are started by main threads.
    """
    parent = os.getppid()
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def close_memory() -> None:
    """Let no other process of this user read our memory, or attach to us (Linux)."""
    _prctl(PR_SET_DUMPABLE, 0)


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Adopt grandchildren whose parents end meanwhile (Linux)."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        _prctl(PR_SET_CHILD_SUBREAPER, 0)


def drop_rights() -> None:
    """Drop all capabilities: whoever enters a user namespace has every one of them in it.

    Raises: OSError.
    """
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    none = (ctypes.c_uint32 * CAPABILITY_WORDS)()
    if ctypes.CDLL(None, use_errno=True).capset(header, none) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"capset: {os.strerror(number)}")


def lead_own_session() -> None:
    """Begin a session: out of reach of the terminal's Ctrl-C, and one group to kill."""
    if os.name == "posix" and os.getsid(0) != os.getpid():
        os.setsid()


def _prctl(option: int, value: int) -> None:
    """Raises: OSError. Nothing happens where there is no prctl."""
    if PRCTL is not None and PRCTL(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
