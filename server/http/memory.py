"""Memory that uploads have taken goes back to the system when they have been looked at."""

import ctypes
import sys

M_MMAP_THRESHOLD = -3
"""The parameter of mallopt(3)."""
LARGE_BYTES = 1 << 20
"""A block of so many bytes is mapped by itself, and unmapped when it is free."""


def return_large_blocks() -> None:
    """Let this process give back large blocks of memory whenever they are free.

    glibc raises the size from which blocks are mapped by themselves with each that is freed, up to
    32 MB. Smaller ones are kept by whichever thread has used them: after some uploads that were
    hundreds of megabytes. Other C libraries have no such parameter.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
