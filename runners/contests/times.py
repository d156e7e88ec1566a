"""Points in time as people type them: with an offset, or as the clocks of a time zone show them."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from itertools import takewhile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from engine.support.sanitizing import one_line

BEGINS_WITH_A_DAY = re.compile(r"20\d\d-\d\d-\d\d(?P<clock>[T ]\d.*)?", re.ASCII)
MINUTE = timedelta(minutes=1)
EXPECTED = "expected a time such as 2027-05-28T16:00, 2027-05-28T16:00+02:00 or 2027-05-28"


class BadTime(Exception):
    """What is wrong with a time that was typed, in words that follow what it is of."""


def parse_time_zone(name: str) -> tzinfo:
    """Return a time zone by its name, such as Europe/Berlin. Raises: BadTime."""
    try:
        return UTC if name.upper() == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        near = get_close_matches(name, available_timezones(), n=1)
        meant = f": did you mean {near[0]}?" if near else ", such as Europe/Berlin"
        raise BadTime(f"{one_line(name)} is no time zone{meant}") from error


def read_time(text: str, zone: tzinfo, *, is_end: bool = False) -> datetime:
    """Return a point in time, UTC. Without an offset it is as the clocks of `zone` show it.

    A day alone is its first moment that exists, or where it `is_end` its last. Raises: BadTime.
    """
    found = BEGINS_WITH_A_DAY.fullmatch(text.strip())
    try:
        read = datetime.fromisoformat(text.strip()) if found else None
    except ValueError:
        read = None
    if found is None or read is None:
        raise BadTime(f"{one_line(text)}: {EXPECTED}")
    if not found["clock"]:
        return _last_moment(read, zone) if is_end else _first_moment(read, zone)
    if read.tzinfo is None:
        read = _resolve_in_zone(read, zone)
    return read.astimezone(UTC)


def _first_moment(day: datetime, zone: tzinfo) -> datetime:
    """Return when a day begins: later than at midnight, where clocks are set forward then."""
    return next(at for at in _find_midnights(day, zone) if at.astimezone(zone).date() >= day.date())


def _last_moment(day: datetime, zone: tzinfo) -> datetime:
    """Return when a day has ended for good, where clocks may be set back to it."""
    at, *earlier = reversed(_find_midnights(day + timedelta(days=1), zone))
    after = takewhile(lambda one: one.astimezone(zone).date() > day.date(), earlier)
    return min(after, default=at)


def _find_midnights(day: datetime, zone: tzinfo) -> list[datetime]:
    """Return the minutes, UTC, at one of which a day begins: one if no clock is set then."""
    folds = (day.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    first, last = sorted(folds)
    return [first + timedelta(minutes=past) for past in range((last - first) // MINUTE + 1)]


def _resolve_in_zone(clock: datetime, zone: tzinfo) -> datetime:
    """Return when the clocks of a zone show this. Raises: BadTime if they never do, or twice."""
    first, second = (clock.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    shown = f"{clock:%Y-%m-%d %H:%M}"
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != clock:
        raise BadTime(
            f"{shown} does not exist in {zone}, where the clocks are set forward then: choose "
            "another time"
        )
    offsets = " or ".join(_offset_text(one) for one in (first, second))
    raise BadTime(
        f"{shown} comes twice in {zone}, where the clocks are set back then: add which is meant, "
        f"{offsets}"
    )


def _offset_text(at: datetime) -> str:
    offset = at.utcoffset()
    assert offset is not None
    return str(timezone(offset)).removeprefix("UTC")
