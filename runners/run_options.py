"""How matches are played and what is kept of them, whatever plays them."""

import re
from pathlib import Path

import msgspec

from engine.errors import UsageError
from engine.play_options import PlayOptions
from runners.configuration import DEFAULT_OUT

MAX_DAYS = 36_500
KEPT_REPLAYS = re.compile(r"([1-9][0-9]{0,8})(d?)", re.ASCII)


class KeptReplays(msgspec.Struct, frozen=True):
    """Says how many matches of a contest, the newest, keep their replays and logs."""

    matches: int | None = None
    days: int | None = None


def read_kept_replays(text: str | None) -> KeptReplays | None:
    """Read such as `20000` (matches) or `90d` (days); None: as usual. Raises: UsageError."""
    if text is None:
        return None
    found = KEPT_REPLAYS.fullmatch(text)
    if found is None:
        raise UsageError(
            f"--keep-replays {text}: expected a number of matches, such as 20000, or of days, "
            "such as 90d"
        )
    number = int(found[1])
    if found[2] and number > MAX_DAYS:
        raise UsageError(f"--keep-replays {text}: expected at most {MAX_DAYS} days")
    return KeptReplays(days=number) if found[2] else KeptReplays(matches=number)


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of playing, and decides no result."""

    out: Path = DEFAULT_OUT
    """The folder of results, replays and logs."""
    workers: int = 1
    """Matches played side by side, where they are not played on a cluster."""
    cluster: str | None = None
    """The cluster as --cluster names it."""
    keeps_going: bool = False
    """Whether a series is played on where a bot loses nearly all its decisions."""
    kept_replays: KeptReplays | None = None
    """None: of 20 000 matches of a ladder, and of all of a tournament."""
    play: PlayOptions = PlayOptions()
    """How each match is played."""
