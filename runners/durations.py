"""Durations in words, and how long what is still to be played will take."""

from engine.support.wording import pluralize


def format_duration(seconds: float) -> str:
    """Return a duration in the unit that suits it."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return pluralize(round(seconds), "second")


LONG_S = 60
"""What takes no longer is not announced."""


def duration_estimate(matches: int, match_s: float, workers: int) -> str | None:
    """Return how long so many matches will take, if each takes so long; None if not long."""
    if matches * match_s / workers < LONG_S:
        return None
    side_by_side = f", {pluralize(workers, 'match')} at a time" if workers > 1 else ""
    return (
        f"a match takes about {format_duration(max(1, match_s))}: "
        f"{pluralize(matches, 'match')} "
        f"take about {format_duration(matches * match_s / workers)}{side_by_side}"
    )
