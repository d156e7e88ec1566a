"""Times as people type them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from runners.contests.times import BadTime, parse_time_zone, read_time
from tests.cases import for_each

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("2027-05-28T16:00", "2027-05-28T14:00"),
        ("2027-05-28 16:00", "2027-05-28T14:00"),
        (" 2027-01-28T16:00:30 ", "2027-01-28T15:00:30"),
        ("2027-05-28T16:00+02:00", "2027-05-28T14:00"),
        ("2027-05-28T16:00-05:30", "2027-05-28T21:30"),
        ("2027-05-28T16:00Z", "2027-05-28T16:00"),
        ("2027-05-28", "2027-05-27T22:00"),
        ("2027-10-31T02:30+02:00", "2027-10-31T00:30"),
        ("2027-10-31T02:30+01:00", "2027-10-31T01:30"),
    ],
)
def test_a_time_is_of_its_offset_or_of_the_zone(typed: str, read: str) -> None:
    assert read_time(typed, BERLIN) == datetime.fromisoformat(read).replace(tzinfo=UTC)


def test_a_day_ends_with_its_last_moment_also_when_it_has_23_hours() -> None:
    for day, hours in (("2027-03-28", 23), ("2027-05-28", 24), ("2027-10-31", 25)):
        begin, end = (read_time(day, BERLIN, is_end=is_end) for is_end in (False, True))
        assert end - begin == timedelta(hours=hours)
    assert read_time("2027-05-28T16:00", UTC, is_end=True).hour == 16


@for_each(
    "zone, day, begin, end",
    [
        # Midnight does not exist: 00:00 is 01:00.
        ("Africa/Cairo", "2027-04-29", "2027-04-28T22:00", "2027-04-29T22:00"),
        ("Africa/Cairo", "2027-04-30", "2027-04-29T22:00", "2027-04-30T21:00"),
        # Midnight comes twice: 01:00 is 00:00.
        ("America/Havana", "2027-11-06", "2027-11-06T04:00", "2027-11-07T04:00"),
        ("America/Havana", "2027-11-07", "2027-11-07T04:00", "2027-11-08T05:00"),
        # The hour before midnight comes twice: 00:01 was 23:01.
        ("America/St_Johns", "2010-11-06", "2010-11-06T02:30", "2010-11-07T03:30"),
        ("America/St_Johns", "2010-11-07", "2010-11-07T02:30", "2010-11-08T03:30"),
    ],
)
def test_a_day_alone_begins_and_ends_with_moments_that_exist(
    zone: str, day: str, begin: str, end: str
) -> None:
    moments = [read_time(day, ZoneInfo(zone), is_end=is_end) for is_end in (False, True)]
    assert [f"{at:%Y-%m-%dT%H:%M}" for at in moments] == [begin, end]


@for_each(
    "typed, message",
    [
        ("2027-03-28T02:30", "2027-03-28 02:30 does not exist in Europe/Berlin"),
        ("2027-10-31T02:30", r"comes twice in Europe/Berlin.*\+02:00 or \+01:00"),
        ("tomorrow", "tomorrow: expected a time such as"),
        ("28.5.2027", "expected a time"),
        ("2027-02-30", "expected a time"),
        ("2027-05-28T25:00", "expected a time"),
        ("2027-05-28T16:00+99:00", "expected a time"),
        ("0001-01-01", "expected a time"),
        ("9999-12-31", "expected a time"),
        ("", "expected a time"),
    ],
)
def test_a_time_that_is_none_is_refused_with_what_was_expected(typed: str, message: str) -> None:
    with pytest.raises(BadTime, match=message):
        read_time(typed, BERLIN)


def test_a_zone_has_a_name_and_one_that_is_mistyped_is_asked_about() -> None:
    assert parse_time_zone("utc") is UTC
    assert parse_time_zone("Europe/Berlin") == BERLIN
    for name, words in (
        ("Europe/Berln", r"did you mean Europe/Berlin\?"),
        ("../../etc/passwd", "is no time zone"),
        ("x\0y", "is no time zone"),
        ("", "is no time zone"),
    ):
        with pytest.raises(BadTime, match=words):
            parse_time_zone(name)
