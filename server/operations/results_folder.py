"""Notices that the folder of results has vanished, as where its disk was unmounted.

A hidden file marks the folder with which a server began: below a mount point there is another
folder, without it, which must not be filled in its place.
"""

import os
from pathlib import Path

from engine.errors import UsageError
from server.http.parts import Report, no_report

MARK = ".results-of-server"


class ResultsFolder:
    """The folder of results of a server, which may vanish and come back."""

    def __init__(self, out: Path, report: Report = no_report) -> None:
        """`report` takes a sentence for the operator."""
        self._mark = out / MARK
        self._report = report
        self._is_marked = False
        self._was_there = True
        self.words = (
            f"the folder of results {out} has vanished: mount its disk again; until then nothing "
            "is played or taken in"
        )

    def begin(self) -> None:
        """Mark the folder, so that it is known again. Raises: UsageError."""
        try:
            self._mark.parent.mkdir(parents=True, exist_ok=True)
            self._mark.touch()
        except OSError as error:
            raise UsageError(f"{self._mark}: cannot be written: {error.strerror}") from error
        self._is_marked = True

    def is_there(self) -> bool:
        """Return whether the folder is there, and tell the operator when that changes."""
        is_there = not self._is_marked or os.path.exists(self._mark)  # noqa: PTH110 - never raises
        if is_there is not self._was_there:
            self._was_there = is_there
            self._report("the folder of results is there again" if is_there else self.words)
        return is_there
