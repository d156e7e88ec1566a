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


class OutName(StrEnum):
    """Another folder of `out`, or a file there."""

    BOTS = "bots"
    BUILT = "built"
    CHECKS = "checks"
    DESIGNS = "designs"
    FORMER_INTERRUPTED = "cut-off"
    """What the folder of interrupted matches was called before release 1.0.0."""
    PROFILES = "profiles"
    RESTORED = "restored"
    SERIES = "series"
    SPRITES = "sprites"
    TUNE = "tune"
    WATCH = "watch"
    WATCHED_PAGE = "watched.html"
    WRITE = "write"


SQLITE = ".sqlite"
"""What stands in the names of files of databases, and of those that belong to them."""
LIVE = ".live"
"""The folder in `out` where a server's matches can be read while they are played: for each a file,
by its key, which is removed at its end. Hidden, so that no backup has it."""


def is_own_name(name: str) -> bool:
    """Return whether a file or folder of `out` that has this name is, or would be, one of ours.

    Some file systems take capitals for small letters, and leave out a dot at the end.
    """
    name = name.casefold().rstrip(".")
    return (
        name.startswith(".")
        or name in (*ResultFolder, *OutName)
        or SQLITE in name
        or name.endswith(OutName.WATCHED_PAGE)  # of several each has its number before that
    )


def live_file(out: Path, key: str) -> Path:
    """Return where a match of a server can be read while it is played, as a replay that grows."""
    return out / LIVE / f"{key}.jsonl"
