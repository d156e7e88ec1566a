"""The turn in which a match was lost."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from engine.errors import SlimeMindError
from engine.replays.reading import Replay
from visualizer.model.timeline import ReplayTimeline

MOST_BYTES = 2_000_000
"""Longer replays are not looked through for it: that would take seconds."""


@lru_cache(500)
def losing_turn(replay: Path, seat: int) -> int | None:
    """Return the turn from which a team, by its seat from 0, was behind for good.

    Of one that never led, the turn in which it fell back the most. None where the replay cannot
    be read, is too long, or says nothing of it.
    """
    try:
        if replay.stat().st_size > MOST_BYTES:
            return None
        timeline = ReplayTimeline(Replay(replay))
        timeline.read_on()
    except (OSError, SlimeMindError):
        return None
    return turn_lost(timeline.scores, seat)


def turn_lost(scores: Sequence[Sequence[float]], seat: int) -> int | None:
    """Return the same for the scores at the end of each turn, turn 0 first."""
    leads = [
        own[seat] - max(points for other, points in enumerate(own) if other != seat)
        for own in scores
    ]
    if len(leads) < 2 or leads[-1] >= 0:
        return None
    ahead = [turn for turn, lead in enumerate(leads) if lead > 0]
    if ahead:
        return ahead[-1] + 1
    return min(range(1, len(leads)), key=lambda turn: leads[turn] - leads[turn - 1])
