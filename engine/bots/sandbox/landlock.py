"""Landlock's three system calls: what this process may open, connect to and signal from now on.

Source: landlock(7) and linux/landlock.h. The numbers are the same on all processors. What a
kernel handles grows with its ABI version: all that it knows is refused but for what is allowed.
"""

import ctypes
import os
import sys
from contextlib import AbstractContextManager
from enum import IntFlag
from pathlib import Path

from engine.bots.sandbox.process import LIBC, forgo_new_rights

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1


class Access(IntFlag):
    """LANDLOCK_ACCESS_FS_*: what is done with a file or a folder, as far as code here names it."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3


SINCE_ABI = {
    "files": ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15), (9, 1 << 16)),
    "ports": ((4, 0b11), (10, 0b1100)),
    "scoped": ((6, 0b11),),
}
"""The ABI version that brought rights, and their bits. Files: the first thirteen, moving between
folders, truncating, ioctl of devices, sockets by path; ports: TCP, UDP; scoped: abstract sockets,
signals."""


class _Handled(ctypes.Structure):
    """struct landlock_ruleset_attr; a kernel that knows fewer fields takes zeros for the others."""

    _fields_ = (("files", ctypes.c_uint64), ("ports", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Allowed(ctypes.Structure):
    """struct landlock_path_beneath_attr: twelve bytes, without padding behind them."""

    _layout_ = "ms"  # what `_pack_` means today; Python 3.14 wants it said
    _pack_ = 1
    _fields_ = (("files", ctypes.c_uint64), ("beneath", ctypes.c_int32))


def handled_rights(abi: int) -> dict[str, int]:
    """Return all rights that a kernel of this ABI version can refuse, as bits by kind."""
    return {
        kind: sum(bits for since, bits in added if since <= abi)
        for kind, added in SINCE_ABI.items()
    }


class Ruleset(AbstractContextManager["Ruleset"]):
    """The rights that are refused, and the paths for which some are allowed."""

    def __init__(self) -> None:
        """Refuse all that this kernel can refuse. Raises: OSError where there is no Landlock."""
        handled = handled_rights(_call(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION))
        attributes = _Handled(**handled)
        size = ctypes.sizeof(attributes)
        self.files = Access(handled["files"])
        """All that can be done with files and folders."""
        self.descriptor = _call(CREATE_RULESET, ctypes.byref(attributes), size, 0)

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self.descriptor)

    def allow(self, path: Path, access: Access) -> None:
        """Allow this with a file, or with all below a folder. Raises: OSError."""
        if sys.platform != "linux":
            raise OSError("Landlock is Linux's")
        else:  # noqa: RET506 - mypy finds unreachable what follows a check without it
            beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                rule = _Allowed(files=access & self.files, beneath=beneath)
                _call(ADD_RULE, self.descriptor, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
            finally:
                os.close(beneath)


def restrict(ruleset: int) -> None:
    """Refuse the rest to this thread, and to all that it starts, for good. Raises: OSError."""
    forgo_new_rights()
    _call(RESTRICT_SELF, ruleset, 0)


def _call(number: int, *arguments: object) -> int:
    """Raises: OSError."""
    if LIBC is None:
        raise OSError("Landlock is Linux's")
    answer = int(LIBC.syscall(ctypes.c_long(number), *arguments))
    if answer < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return answer
