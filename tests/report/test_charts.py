"""Figures as places in a drawing."""

import pytest

from report.charts import ELO_MARGIN, MAX_INTERVAL, Axis, HistoryChart, make_whisker, rating_axis
from runners.statistics.ratings import RatingKind
from tests.report.made_up import a_rating, unrated_rating


def test_an_axis_goes_from_end_to_end() -> None:
    axis = Axis(1000, 2000, 200)
    assert [axis.at(value) for value in (1000, 1500, 2000)] == [0, 100, 200]


def test_what_lies_beyond_an_axis_stays_at_its_end() -> None:
    assert [Axis(0, 10, 100).at(value) for value in (-5, 50)] == [0, 100]


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (1480, 1530, [1480, 1490, 1500, 1510, 1520, 1530]),
        (1010, 1990, [1200, 1400, 1600, 1800]),
        (-3900, 4100, [-2000, 0, 2000, 4000]),
    ],
)
def test_ticks_are_round(low: float, high: float, values: list[int]) -> None:
    assert [value for _, value in Axis(low, high, 100).ticks()] == values


def test_the_label_of_a_tick_at_an_end_is_not_cut_off() -> None:
    axis = Axis(1000, 2000, 190)
    assert [axis.label_at(value) for value in (1000, 1500, 2000)] == [6.8, 95, 183.2]


def test_a_rating_axis_shows_all_intervals() -> None:
    ratings = [a_rating(elo=1500, low=1400, high=1550), a_rating(elo=1600, low=1580, high=1650)]
    axis = rating_axis(ratings, 100)
    assert (axis.low, axis.high) == (1400 - ELO_MARGIN, 1650 + ELO_MARGIN)


def test_an_interval_without_end_does_not_squeeze_the_others() -> None:
    axis = rating_axis([a_rating(elo=1500, low=-9000, high=1550)], 100)
    assert axis.low == 1500 - MAX_INTERVAL - ELO_MARGIN


def test_a_field_without_ratings_has_an_axis() -> None:
    axis = rating_axis([unrated_rating(), unrated_rating()], 100)
    assert axis.low < axis.high


def test_who_won_all_has_an_open_end() -> None:
    rating = a_rating(kind=RatingKind.WON_ALL, elo=1700, low=1600, high=None)
    drawn = make_whisker(
        rating, rating_axis([rating, a_rating(elo=1500, low=None, high=None)], 100)
    )
    assert drawn is not None
    assert (drawn.is_open_low, drawn.is_open_high, drawn.high) == (False, True, 100)
    assert drawn.elo < 90, "there is room to show it"


def test_what_is_not_rated_has_no_whisker() -> None:
    assert make_whisker(unrated_rating(), Axis(0, 1, 1)) is None


def test_a_history_is_a_line_with_the_latest_on_the_right() -> None:
    chart = HistoryChart({0: [(1, 1480.0), (10, 1520.0)], 1: []}, 100, 60)
    line = chart.make_line(0)
    assert line is not None
    assert line.points == "10,45 100,15"
    assert line.last == (100, 15)


def test_one_moment_makes_no_line() -> None:
    assert HistoryChart({0: [(1, 1500.0)]}, 100, 60).make_line(0) is None
