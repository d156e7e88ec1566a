"""Read a match that is being played line by line while it is recorded.

The engine writes the lines of the replay, uncompressed, to a file that viewers read at
their own pace: nobody who watches can hold a match up.
"""

import time
from pathlib import Path

from engine.errors import BadReplay
from engine.replays.reading import Replay

HEADER_PREFIX = b'{"replay"'
PATIENCE_S = 60
PAUSE_S = 0.02


class LiveReplay(Replay):
    """A replay that grows."""

    may_begin_anew = True

    def __init__(self, path: Path) -> None:
        """Wait for the match to begin. Raises: BadReplay if it does not."""
        self.path = path
        self._read = 0
        self._rest = b""
        self.beginnings = 0
        deadline = time.monotonic() + PATIENCE_S
        while not self.read_new_entries():
            if time.monotonic() > deadline:
                raise BadReplay(f"{path}: no match began within {PATIENCE_S} s")
            time.sleep(PAUSE_S)

    @property
    def is_growing(self) -> bool:  # type: ignore[override]
        return self.outcome is None

    def read_new_entries(self) -> bool:
        """Take in the lines that were written meanwhile; whether there were any.

        Where a match begins anew, what was read of the one before is forgotten.
        """
        *lines, self._rest = (self._rest + self._read_new_bytes()).split(b"\n")
        for line in lines:
            if line.startswith(HEADER_PREFIX):
                self._read_header(line)
                self.beginnings += 1
            else:
                self._add([(0, line)])
        return bool(lines)

    def _read_new_bytes(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                content = file.read()
        except FileNotFoundError:
            return b""
        self._read += len(content)
        return content
