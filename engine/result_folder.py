"""Name the folders of a results directory, and the files in the folder of a match."""

from enum import StrEnum
from pathlib import Path

REPLAY = "replay.jsonl.gz"
RESULT = "match.json"


class ResultFolder(StrEnum):
    """A folder of `out`, with a folder for each match."""

    MATCHES = "matches"
    """The results: the first playing of each match. They are never changed."""
    AGAIN = "again"
    """The last playing of a match that has its result already."""
    IN_PROCESS = "in-process"
    """The last playing of a match without limits on its bots."""
    INTERRUPTED_MATCHES = "interrupted"
    """What was played of interrupted matches, which can be resumed."""


LIVE = ".live"
"""The folder in `out` where a server's matches can be read while they are played: for each a file,
by its key, which is removed at its end. Hidden, so that no backup has it."""
FORMER_FOLDER = "cut-off"
"""What the folder of interrupted matches was called before release 1.0.0."""


def live_file(out: Path, key: str) -> Path:
    """Return where a match of a server can be read while it is played, as a replay that grows."""
    return out / LIVE / f"{key}.jsonl"
