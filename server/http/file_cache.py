"""Files that are made once, when somebody first asks for them, and kept for the next.

Their folder is hidden, and in no backup: whatever is lost is made again. Several processes may use
one folder, for a file is written beside and then renamed, and comes out the same.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from engine.support.files import atomic_write

FOLDER = ".public"
"""The folder in that of results."""
MAX_CACHE_BYTES = 256 * 2**20


class FileCache:
    """The files of a folder; those go first that nobody has asked for longest.

    All methods may be called from any thread.
    """

    def __init__(self, folder: Path, most_bytes: int = MAX_CACHE_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._making = threading.Lock()

    def path(self, name: str, make: Callable[[Path], object]) -> Path:
        """Return a file, which `make` writes if it is not there. Raises: EngineFailure."""
        path = self._folder / name
        if not _is_used(path):
            with self._making:  # one at a time: each takes a core for a while
                if not _is_used(path):
                    with atomic_write(path) as beside:
                        make(beside)
                    _is_used(path)
                    self._drop_oldest()
        return path

    def find(self, name: str) -> Path | None:
        """Return a file if it is there."""
        path = self._folder / name
        return path if _is_used(path) else None

    def forget(self, start: str) -> None:
        """Remove the files whose names start so."""
        for path in self._folder.glob(f"{start}*"):
            path.unlink(missing_ok=True)

    def _drop_oldest(self) -> None:
        """Remove what there is no room for, but never what was made last."""
        found: list[tuple[int, int, Path]] = []
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process removes them, too
                status = path.stat()
                found.append((status.st_mtime_ns, status.st_size, path))
        session = self._most_bytes
        for index, (_, size, path) in enumerate(sorted(found, reverse=True)):
            session -= size
            if session < 0 and index:
                path.unlink(missing_ok=True)


def _is_used(path: Path) -> bool:
    """Return whether a file is there, and note that somebody has asked for it."""
    try:
        os.utime(path, ns=(time.time_ns(), time.time_ns()))  # the system's own clock is coarse
    except FileNotFoundError:
        return False
    return True
