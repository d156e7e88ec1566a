"""seccomp: which system calls a worker can make (Linux, x86-64 and arm64).

The filters lie beside this file, exported once from the list in `allowed.py`
(`python3 -m engine.bots.sandbox.allowed`), so that a worker loads one in microseconds and
needs no library for it. Any other call fails with EPERM, which Python raises as
PermissionError; clone3 answers ENOSYS, so that the C library tries the older clone.
"""

import ctypes
import os
import platform
from functools import cache
from pathlib import Path

from engine.bots.sandbox.process import PRCTL

FILTERS = Path(__file__).with_name("filters")
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
INSTRUCTION_BYTES = 8


class _Program(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


@cache
def filter_of_this_machine() -> bytes:
    """The filter as the kernel takes it. Raises: OSError if there is none for this processor."""
    return (FILTERS / f"{platform.machine()}.bpf").read_bytes()


def shut_off_calls() -> None:
    """From here on only the allowed calls. Raises: OSError. Needs no_new_privs."""
    content = filter_of_this_machine()
    program = _Program(len(content) // INSTRUCTION_BYTES, content)
    assert PRCTL is not None  # seccomp is Linux's
    if PRCTL(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")
