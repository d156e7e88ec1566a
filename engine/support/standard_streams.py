"""Open standard input, output and error where they are closed, and let go of output.

Daemons and cron start programs with these descriptors closed. The next file that is opened, or a
pipe to a bot, would get such a number, and whatever prints would write into it. Entry points import
this before all else, so it needs next to nothing itself.
"""

import os
import sys

STREAMS = (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_WRONLY, "w"), ("stderr", os.O_WRONLY, "w"))
"""Their names in `sys`, by descriptor."""


def open_closed_streams() -> None:
    """Put the null device behind each of the three that is closed."""
    for descriptor, (_, flags, _) in enumerate(STREAMS):
        if _is_closed(descriptor):
            _open_null(descriptor, flags)
    for descriptor, (name, _, mode) in enumerate(STREAMS):
        if getattr(sys, name) is None:  # Python found it closed, or there is no console
            stream = os.fdopen(os.dup(descriptor), mode, encoding="utf-8")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def _is_closed(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return True
    return False


def _open_null(descriptor: int, flags: int) -> None:
    opened = os.open(os.devnull, flags)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    os.set_inheritable(descriptor, True)  # as these are for every process that is started


def discard_stdout() -> None:
    """Redirect stdout to nowhere: Python flushes it once more at its end, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
