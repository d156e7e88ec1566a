"""What bad bots have in common: ways to try something, and to say so if it worked.

A bad bot imports these as if it could; `tests.engine.bots.bad_bots` writes them into its file.
"""

import ctypes
import errno
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
MINE = ("x86_64", "aarch64").index(os.uname().machine)
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


def attempt(what: "Any", *parts: "Any", **named: "Any") -> "Any":
    """Call it; says so if it worked."""
    try:
        result = what(*parts, **named)
    except (OSError, ValueError, ImportError):
        return None
    print(f"escaped: {getattr(what, '__name__', what)}{parts!r:.200} gave {result!r:.80}")
    return result


def call(name: str, numbers: tuple[int, int], *parts: "Any") -> "Any":
    """One system call by its number on x86-64 and on ARM; says so if it was let through."""
    result = LIBC.syscall(ctypes.c_long(numbers[MINE]), *map(ctypes.c_long, parts))
    if result != -1 or ctypes.get_errno() not in REFUSED:
        print(f"escaped: {name} gave {result}, errno {ctypes.get_errno()}")
    return result


def others() -> list[int]:
    """Return the zygote, which started us, and whoever was started about then; not ourselves."""
    me, parent = os.getpid(), os.getppid()
    near = {*range(parent - 20, parent + 20), *range(me - 20, me + 20)}
    return sorted(pid for pid in near - {me} if pid > 1)


def worker() -> "Any":
    """Return the worker that called us, and the nonce of this ask."""
    frame: Any = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["self"], frame.f_locals["nonce"]
