"""Durations in words."""

import pytest

from runners.durations import duration_estimate, format_duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0, "0 seconds"), (1, "1 second"), (119, "119 seconds")),
        *((600, "10.0 minutes"), (9_000, "2.5 hours")),
    ],
)
def test_a_duration_has_the_unit_that_suits_it(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_what_takes_long_is_announced() -> None:
    assert duration_estimate(100, 0.5, 1) is None
    assert (
        duration_estimate(100, 6, 1)
        == "a match takes about 6 seconds: 100 matches take about 10.0 minutes"
    )
    assert duration_estimate(100, 240, 2) == (
        "a match takes about 4.0 minutes: 100 matches take about 3.3 hours, 2 matches at a time"
    )
