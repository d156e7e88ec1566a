"""Where matches lie in a results folder, and what the folder of a match holds."""

from enum import StrEnum

REPLAY = "replay.jsonl.gz"
RESULT = "match.json"


class Shelf(StrEnum):
    """A folder of `out`, with a folder for each match."""

    MATCHES = "matches"
    """The results: the first playing of each match. What stands here is never changed."""
    AGAIN = "again"
    """The last playing of a match that has its result already."""
    IN_PROCESS = "in-process"
    """The last playing of a match that nobody judged."""
    CUT_OFF = "cut-off"
    """What was played of matches that were cut off, and can go on."""
