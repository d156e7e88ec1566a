"""seccomp: which system calls a worker can make (Linux, x86-64 and arm64).

The filters lie beside this file, exported once from the list in `allowed.py`
(`python3 -m engine.bots.sandbox.allowed`), so that a worker loads one in microseconds and
needs no library for it. Any other call fails with EPERM, which Python raises as
PermissionError; clone3 answers ENOSYS, so that the C library tries the older clone.
"""

import ctypes
import os
import platform
import sys
from enum import StrEnum
from functools import cache
from pathlib import Path

from engine.bots.sandbox.process import PRCTL

FILTERS_FOLDER = Path(__file__).with_name("filters")
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
INSTRUCTION_BYTES = 8
OWN_PID = 0x7B07B07B
OWN_UID, OWN_GID = 0x7B07B07C, 0x7B07B07D
"""The placeholders in filters for what is of their process: more than Linux gives to any."""
ENTRY_FD = 250
"""The descriptor of a program's file while a worker becomes that program. It is closed by that, and
no other gets so high a number, so that there is one exec and no second."""


class Profile(StrEnum):
    """Whose system calls: the value is part of the name of the filter's file."""

    PYTHON = ""
    PROGRAM = ".program"
    THREADS = ".threads"
    """A program that may have threads."""
    BUILD = ".build"


class _Program(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


@cache
def filter_of_this_machine(profile: Profile = Profile.PYTHON) -> bytes:
    """Return the filter as the kernel takes it. Raises: OSError if this processor has none."""
    return (FILTERS_FOLDER / f"{platform.machine()}{profile}.bpf").read_bytes()


def _encode_word(number: int) -> bytes:
    return number.to_bytes(4, sys.byteorder)


def shut_off_calls(profile: Profile = Profile.PYTHON) -> None:
    """Allow only the listed calls from here on. Raises: OSError. Needs no_new_privs."""
    if sys.platform != "linux" or PRCTL is None:
        raise OSError("seccomp is Linux's")
    else:  # noqa: RET506 - mypy finds unreachable what follows a check without it
        content = filter_of_this_machine(profile)
        own = ((OWN_PID, os.getpid()), (OWN_UID, os.getuid()), (OWN_GID, os.getgid()))
        for placeholder, number in own:
            content = content.replace(_encode_word(placeholder), _encode_word(number))
        program = _Program(len(content) // INSTRUCTION_BYTES, content)
        if PRCTL(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"seccomp: {os.strerror(number)}")
