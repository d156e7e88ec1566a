"""How matches are played and what is kept of them, whatever plays them."""

from pathlib import Path

import msgspec

from engine.bots.sandbox import Level


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of playing, and decides no result."""

    out: Path
    """The folder of results, replays and logs."""
    workers: int = 1
    """Matches played side by side, where they are not played on a cluster."""
    cluster: str | None = None
    """The cluster as --cluster names it."""
    sandbox: Level = Level.DEFAULT
    keeps_going: bool = False
    """Whether a series is played on where a bot loses nearly all its decisions."""
    in_process: bool = False
    """Trusted bots in our own process, without limits: what is played so is no result."""
    keep_replays: bool = True
    keep_notes: bool | None = None
    """Whether replays have what bots draw and log; None: those of single matches."""
