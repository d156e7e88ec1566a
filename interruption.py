"""Ctrl-C while a program still imports what it needs: it ends, and no traceback is shown.

Programs import it before all else, so it needs next to nothing itself. While Python imports a
module it may also swallow what a Ctrl-C raises; a process that ends at once cannot.
"""

import os
import signal

CODE = 130


def end_quietly() -> None:
    """Until the command line listens. Nothing has begun by then that could be cut in two."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored
        signal.signal(signal.SIGINT, _end)


def _end(signum: int, frame: object) -> None:
    os.write(2, b"stopped\n")
    os._exit(CODE)
