"""What an organizer types of a ladder."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from engine.catalog import find_game
from runners.contests.contests import Ladder, new_ladder_id, usual_spec
from server.contests.contest_forms import BadForm, ladder_form_values, read_ladder

BERLIN = ZoneInfo("Europe/Berlin")
TWICE = datetime(2027, 10, 31, 1, 30, 20, tzinfo=UTC)
"""In Berlin it is 02:30 then, as it was an hour before."""
SEASON = Ladder(
    id=new_ladder_id(),
    name="Autumn",
    spec=usual_spec(find_game("slime_mind")),
    begins_at=TWICE,
    freezes_at=TWICE + timedelta(days=1),
    ends_at=TWICE + timedelta(days=2),
    created_at=TWICE,
)


def test_times_are_shown_and_read_as_the_clocks_of_the_servers_zone_show_them() -> None:
    form = ladder_form_values(SEASON, BERLIN)
    assert (form["begins"], form["ends"]) == ("2027-10-31T02:30", "2027-11-02T02:30")
    form["ends"] = "2027-11-03T16:00"
    season = read_ladder(form, SEASON, is_fixed=True, zone=BERLIN)
    assert season.ends_at == datetime(2027, 11, 3, 15, tzinfo=UTC)


def test_a_time_that_is_not_changed_stays_to_the_second_though_clocks_show_it_twice() -> None:
    season = read_ladder(ladder_form_values(SEASON, BERLIN), SEASON, is_fixed=True, zone=BERLIN)
    assert (season.begins_at, season.freezes_at, season.ends_at) == (
        SEASON.begins_at,
        SEASON.freezes_at,
        SEASON.ends_at,
    )


def test_a_time_that_clocks_show_twice_is_asked_about() -> None:
    form = {**ladder_form_values(SEASON, BERLIN), "ends": "2028-10-29T02:30"}
    with pytest.raises(BadForm, match=r"the end: .* comes twice in Europe/Berlin.*\+02:00"):
        read_ladder(form, SEASON, is_fixed=True, zone=BERLIN)
    form["ends"] = "2028-10-29T02:30+02:00"
    season = read_ladder(form, SEASON, is_fixed=True, zone=BERLIN)
    assert season.ends_at == datetime(2028, 10, 29, 0, 30, tzinfo=UTC)


def test_a_season_that_is_prolonged_has_another_final() -> None:
    at = datetime(2025, 1, 1, tzinfo=UTC)
    past = {"begins_at": at, "freezes_at": None, "ends_at": at + timedelta(days=30)}
    concluded = replace(SEASON, **past, concluded_at=at + timedelta(days=31))
    same = read_ladder(ladder_form_values(concluded), concluded, is_fixed=True)
    assert same.concluded_at == concluded.concluded_at
    later = {**ladder_form_values(concluded), "ends": "2099-01-01T00:00"}
    assert read_ladder(later, concluded, is_fixed=True).concluded_at is None


def test_a_ladder_on_which_whoever_copies_draws_is_refused() -> None:
    form = {**ladder_form_values(SEASON), "name": "Spring", "game": "smack", "set-pace": "free"}
    with pytest.raises(BadForm, match="pace = free: whoever copies"):
        read_ladder(form, None, is_fixed=False)
    assert read_ladder({**form, "set-pace": "lockstep"}, None, is_fixed=False)
