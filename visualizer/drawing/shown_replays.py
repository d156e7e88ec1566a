"""What the window and the terminal are given to show."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline


class ShownReplays(msgspec.Struct):
    """The replays to show, one or several side by side."""

    timelines: Sequence[ReplayTimeline]
    sprites: Sequence[Sprites]
    """The pictures of each replay."""
    turn: int = 0
    """The turn to begin at."""
    logs: Sequence[Path] = ()
    """The folder of each replay's bots' logs, which exists once the match is over."""
