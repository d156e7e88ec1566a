"""Sync files to the disk in the background, while the next match is already played."""

import os
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from engine.errors import EngineFailure


class BackgroundSync:
    """Brings finished files to the disk, one at a time, in a thread that does nothing else.

    A disk takes milliseconds, as long as a short match. What is handed over is read by everybody at
    once; a power cut may cost it until the next one is handed over, or `wait` returns.
    """

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._failure: EngineFailure | None = None

    def close(self, file: BinaryIO, path: Path) -> None:
        """Close a file once it is on the disk. Raises: EngineFailure, about the one before."""
        try:
            self.wait()
        except EngineFailure:
            file.close()
            raise
        self._thread = Thread(target=self._sync, args=(file, path))
        self._thread.start()

    def wait(self) -> None:
        """Wait until everything is on the disk. Raises: EngineFailure if that failed."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def _sync(self, file: BinaryIO, path: Path) -> None:
        try:
            with file:
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                file.close()
            self._failure = EngineFailure(f"{path}: cannot be written: {error.strerror}")
            # Said here as well, for a process that plays no further match.
            raise self._failure from error
