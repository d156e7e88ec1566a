"""A worker's place among the processes."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """End with the process that started this one, even if it was killed (Linux).

    Source: prctl(2). It follows the parent's *thread*, so workers are started by main threads.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def lead_own_session() -> None:
    """Out of reach of the terminal's Ctrl-C, and one group to kill."""
    if os.name == "posix" and os.getsid(0) != os.getpid():
        os.setsid()
