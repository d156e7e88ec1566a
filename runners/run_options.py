"""How matches are played and what is kept of them, whatever plays them."""

from pathlib import Path

import msgspec

from engine.play_options import PlayOptions
from runners.configuration import DEFAULT_OUT


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
    play: PlayOptions = PlayOptions()
    """How each match is played."""
