"""A worker's place among the processes."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from mmap import PAGESIZE
from pathlib import Path

# The numbers of prctl(2).
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
# capset(2): of 64 capabilities the effective, permitted and inheritable ones, in halves of 32.
CAPABILITY_VERSION = 0x20080522
PERMITTED_CAPABILITIES = 1
CAP_DAC_READ_SEARCH = 1 << 2
"""Reading files whose permissions forbid it, and nothing else."""

FIRST_AFTER_STREAMS = 3
AFTER_DESCRIPTORS = 65_536

# Made and looked up here, before the forks: no worker spends its time on it.
CapabilityHeader, Capabilities = ctypes.c_uint32 * 2, ctypes.c_uint32 * 6
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
PRCTL = None if LIBC is None else LIBC.prctl
CAPGET, CAPSET = (None, None) if LIBC is None else (LIBC.capget, LIBC.capset)


def stand_alone(reads: Iterable[Path]) -> None:
    """End with the process that started this one; have and gain no rights; be read by nobody.

    Where root reads one of `reads` by its rights alone, as in another user's home, it keeps that.
    """
    die_with_parent()
    close_memory()
    forgo_new_rights()
    if LIBC is not None:
        may_read = _read_capabilities() & CAP_DAC_READ_SEARCH
        _set_rights(effective=0, permitted=may_read)
        if may_read:
            readable = 0 if all(map(_can_read, reads)) else may_read
            _set_rights(effective=readable, permitted=readable)


def die_with_parent() -> None:
    """End with the process that started this one, even if it was killed (Linux).

    Source: prctl(2). It follows the parent's *thread*, so workers are started by main threads.
    """
    if sys.platform == "linux":
        parent = os.getppid()
        _call_prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def close_memory() -> None:
    """Let no other process of this user read our memory, or attach to us (Linux)."""
    _call_prctl(PR_SET_DUMPABLE, 0)


def forgo_new_rights() -> None:
    """Gain no rights by programs that would give some, which Landlock and seccomp want (Linux)."""
    _call_prctl(PR_SET_NO_NEW_PRIVS, 1)


@contextmanager
def adopt_orphans() -> Iterator[None]:
    """Adopt grandchildren whose parents end meanwhile (Linux)."""
    _call_prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        _call_prctl(PR_SET_CHILD_SUBREAPER, 0)


def drop_rights() -> None:
    """Drop all capabilities: whoever enters a user namespace has every one of them in it.

    Raises: OSError.
    """
    _set_rights(effective=0, permitted=0)


def _set_rights(*, effective: int, permitted: int) -> None:
    """Have these of the first 32 capabilities, and none of the others. Raises: OSError."""
    assert CAPSET is not None  # capabilities are Linux's
    header, rights = CapabilityHeader(CAPABILITY_VERSION, 0), Capabilities(effective, permitted)
    if CAPSET(header, rights) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"capset: {os.strerror(number)}")


def _read_capabilities() -> int:
    """Return the first 32 capabilities that this process may have. Raises: OSError."""
    assert CAPGET is not None
    header, rights = CapabilityHeader(CAPABILITY_VERSION, 0), Capabilities()
    if CAPGET(header, rights) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"capget: {os.strerror(number)}")
    return int(rights[PERMITTED_CAPABILITIES])


def _can_read(path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
    except PermissionError:
        return False
    except OSError:  # it is missing, say: no right would change that
        pass
    return True


def read_proc(path: str) -> bytes:
    """Return a short file of the kernel's, in three system calls. Raises: OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, PAGESIZE)
    finally:
        os.close(descriptor)


def fork() -> int:
    """Do as `os.fork`. Raises: OSError, always on Windows."""
    if sys.platform == "win32":
        raise OSError("os.fork is missing here")
    else:  # noqa: RET506 - mypy finds unreachable what follows a check without it
        return os.fork()


def close_all_but(descriptors: Iterable[int]) -> None:
    """Close every descriptor but the three standard streams and these: a fork has all of them."""
    low = FIRST_AFTER_STREAMS
    for descriptor in sorted(descriptors):
        os.closerange(low, descriptor)
        low = max(low, descriptor + 1)
    os.closerange(low, AFTER_DESCRIPTORS)


def lead_own_session() -> None:
    """Begin a session: out of reach of the terminal's Ctrl-C, and one group to kill."""
    if sys.platform != "win32" and os.getsid(0) != os.getpid():
        os.setsid()


def _call_prctl(option: int, value: int) -> None:
    """Raises: OSError. Nothing happens where there is no prctl."""
    if PRCTL is not None and PRCTL(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
