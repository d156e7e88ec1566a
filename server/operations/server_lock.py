"""One server at a time serves a SQLite file: a second would show boards that stand still.

Processes of a PostgreSQL server are told of each other's changes; those of a file are not.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from engine.errors import UsageError
from runners.storage.database import file_of
from runners.storage.locks import LockHeld, file_lock

LOCK = "server"


@contextmanager
def server_lock(where: Path | str, what_to_do: str) -> Iterator[None]:
    """Hold a database that is a file as its only server; `where`: a file, or a URL.

    Raises: UsageError while another process serves it, with `what_to_do`.
    """
    path = file_of(where)
    with ExitStack() as stack:
        if path is not None:
            try:
                # Hidden, as backups leave such files out.
                stack.enter_context(file_lock(path.with_name(f".{path.stem}-{LOCK}")))
            except LockHeld as held:
                raise UsageError(f"{path}: is being served by {held}; {what_to_do}") from held
        yield
