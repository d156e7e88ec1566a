"""One runner per tournament: the others are told who plays it."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import UsageError
from engine.files import make_folder

if os.name == "posix":
    import fcntl


@contextmanager
def playing(folder: Path, name: str) -> Iterator[None]:
    """Be the one who plays it. Raises: UsageError if somebody else is.

    The system gives the lock back whatever becomes of us.
    """
    make_folder(folder)
    path = folder / ".playing"
    with path.open("a+") as file:
        if os.name == "posix":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                file.seek(0)
                who = file.read().strip() or "somebody else"
                raise UsageError(
                    f"tournament '{name}' is being played by {who}; watch it with "
                    f"'main.py standings {name}'"
                ) from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield
