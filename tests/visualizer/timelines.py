"""Replays as viewers read them."""

from pathlib import Path

from engine.replays.reading import Replay
from visualizer.model.timeline import ReplayTimeline


def read_timeline(path: Path) -> ReplayTimeline:
    """Return the timeline of a replay, of which all was read."""
    timeline = ReplayTimeline(Replay(path))
    timeline.read_new_entries()
    return timeline
