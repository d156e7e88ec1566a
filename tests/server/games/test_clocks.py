"""Clocks: what is left, and what a decision adds."""

import pytest
from msgspec.structs import replace

from engine.errors import UsageError
from server.games.clocks import (
    DAY_S,
    FIRST_S,
    LATE_S,
    NO_CLOCK,
    Clock,
    Kind,
    TimeControl,
    advance_clocks,
    after_a_pause,
    after_decision,
    new_clock,
    read_control,
    switch_clock,
)
from tests.cases import for_each

LIVE = TimeControl(kind=Kind.LIVE, base_s=900, increment_s=5)
DAYS = TimeControl(kind=Kind.DAYS, base_s=3 * DAY_S)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", NO_CLOCK),
        ("15+5", LIVE),
        ("0.5+0", TimeControl(kind=Kind.LIVE, base_s=30)),
        ("3d", DAYS),
    ],
)
def test_a_clock_is_read_and_written(text: str, control: TimeControl) -> None:
    assert read_control(text) == control
    assert str(control) == text


@for_each("text", ["", "10", "10+", "+5", "0+0", "0d", "d", "3 d", "-1+5", "1e3+5"])
def test_what_is_no_clock_is_refused_with_what_would_be_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a clock; expected minutes\+seconds"):
        read_control(text)


def test_a_clock_that_runs_loses_time_and_one_that_stands_does_not() -> None:
    running, standing = Clock(remaining_s=60, since=100), Clock(remaining_s=60)
    assert [running.remaining_at(now) for now in (100, 130, 160, 500)] == [60, 30, 0, 0]
    assert [running.is_overdue(now) for now in (159.9, 160)] == [False, True]
    assert (standing.remaining_at(500), standing.is_overdue(500), standing.deadline) == (
        60,
        False,
        None,
    )


def test_a_clock_is_stopped_and_started_where_it_was() -> None:
    stopped = switch_clock(Clock(remaining_s=60, since=100), 110, runs=False)
    assert stopped == Clock(remaining_s=50)
    assert switch_clock(stopped, 200, runs=True) == Clock(remaining_s=50, since=200)
    assert switch_clock(stopped, 200, runs=False) is stopped


def test_a_live_decision_adds_its_increment_to_what_is_left() -> None:
    clock = Clock(remaining_s=60, since=100, has_decided=True)
    after = after_decision(LIVE, clock, 110, is_late=False)
    assert after == Clock(remaining_s=55, has_decided=True)


def test_the_first_decision_of_a_live_game_has_a_time_of_its_own() -> None:
    short = TimeControl(kind=Kind.LIVE, base_s=60)
    assert new_clock(short).remaining_s == FIRST_S
    assert new_clock(LIVE).remaining_s == LIVE.base_s
    after = after_decision(LIVE, switch_clock(new_clock(LIVE), 0, runs=True), 500, is_late=False)
    assert after == Clock(remaining_s=905, has_decided=True)


def test_a_decision_of_days_is_given_the_whole_time_again() -> None:
    clock = Clock(remaining_s=DAY_S, since=0, has_decided=True)
    assert after_decision(DAYS, clock, 100, is_late=False).remaining_s == 3 * DAY_S


def test_whoever_was_late_is_given_some_seconds_for_the_next_decision() -> None:
    clock = Clock(remaining_s=0, has_decided=True)
    assert after_decision(LIVE, clock, 0, is_late=True).remaining_s == LATE_S


def test_of_all_clocks_those_run_whose_owner_is_asked() -> None:
    key, other = (1, 1), (2, 1)
    begun = advance_clocks(DAYS, {}, {key}, 10)
    assert begun == {key: Clock(remaining_s=3 * DAY_S, since=10)}
    after = advance_clocks(DAYS, begun, {other}, 20, {key: False})
    assert after == {
        key: Clock(remaining_s=3 * DAY_S, has_decided=True),
        other: Clock(remaining_s=3 * DAY_S, since=20),
    }
    assert advance_clocks(DAYS, after, {other}, 30) == after


def test_without_a_time_control_there_are_no_clocks() -> None:
    assert advance_clocks(NO_CLOCK, {}, {(1, 1)}, 10) == {}


def test_nobody_gains_time_where_the_clock_of_the_machine_is_set_back() -> None:
    clock = Clock(remaining_s=60, since=5000)
    assert (clock.remaining_at(1400), clock.is_overdue(1400)) == (60, False)
    assert switch_clock(clock, 1400, runs=False) == Clock(remaining_s=60)
    after = after_decision(LIVE, replace(clock, has_decided=True), 1400, is_late=False)
    assert after.remaining_s == 60 + LIVE.increment_s
    assert after_a_pause(clock, alive_at=1400, now=1500).remaining_at(1500) == 60


@pytest.mark.parametrize(("since", "left"), [(100, 40), (130, 60)])
def test_time_in_which_the_server_was_down_is_given_back(since: float, left: float) -> None:
    clock = Clock(remaining_s=60, since=since)
    assert after_a_pause(clock, alive_at=120, now=5000).remaining_at(5000) == left
