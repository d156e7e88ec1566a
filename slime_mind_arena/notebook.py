"""Matches, replays and standings in a notebook: `from slime_mind_arena.notebook import play`."""

from engine.errors import UsageError
from report.notebook import ShownMatch, ShownReplay, Table, play, replay, results, standings

__all__ = [
    "ShownMatch",
    "ShownReplay",
    "Table",
    "UsageError",
    "play",
    "replay",
    "results",
    "standings",
]
