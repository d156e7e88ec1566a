"""Columns of blocks."""

from hypothesis import given
from hypothesis import strategies as st

from visualizer.backends.terminal.panels import columns, downsample, sample_values


def test_columns_are_as_high_as_their_values() -> None:
    assert columns([0, 1, 4, 8]) == " ▁▄█"


def test_what_is_not_0_is_seen() -> None:
    assert columns([0.001, 1000]) == "▁█"


def test_nothing_is_blank() -> None:
    assert columns([0, 0]) == "  "
    assert columns([]) == ""


def test_a_row_is_sampled_over_the_whole_it_will_be() -> None:
    assert sample_values(range(101), 5, 101) == [0, 25, 50, 75, 100]
    assert sample_values(range(51), 5, 101) == [0, 25, 50]
    assert sample_values([1.0], 5, 1) == [1.0] * 5


@given(st.lists(st.integers(0, 9), max_size=50), st.integers(1, 20))
def test_squeezed_columns_fit_and_keep_the_highest(values: list[int], width: int) -> None:
    few = downsample(values, width)
    assert len(few) <= width
    assert max(few, default=0) == max(values, default=0)
