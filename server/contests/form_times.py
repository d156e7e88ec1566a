"""Times in forms of organizers, read and shown as the clocks of the server's zone have them."""

from collections.abc import Mapping
from datetime import datetime, tzinfo

from runners.contests.times import read_time

TIME = "%Y-%m-%dT%H:%M"
"""This is how a browser's field sends a time; the page says of which zone it is."""


def form_time(
    form: Mapping[str, str],
    field: str,
    before: datetime | None,
    zone: tzinfo,
    *,
    is_end: bool = False,
) -> datetime | None:
    """Return a point in time, UTC; None for none. What was not changed stays to the second.

    `is_end`: a day alone is its last moment. Raises: BadTime.
    """
    typed = form.get(field, "").strip()
    if not typed:
        return None
    return before if typed == shown_time(before, zone) else read_time(typed, zone, is_end=is_end)


def shown_time(at: datetime | None, zone: tzinfo) -> str:
    """Return what a field for a time is filled with; '' for none."""
    return "" if at is None else at.astimezone(zone).strftime(TIME)
