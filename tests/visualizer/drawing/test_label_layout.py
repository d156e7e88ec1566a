"""Labels that would cover each other."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.drawing.score_graph import spread_labels


def test_labels_with_room_stay_where_they_are() -> None:
    assert spread_labels([50, 10, 30], 10, 0, 100) == [50, 10, 30]


def test_labels_in_one_place_stand_in_a_row_in_their_order() -> None:
    assert spread_labels([20, 20, 20], 10, 0, 100) == [20, 30, 40]
    assert spread_labels([98, 99], 10, 0, 100) == [85, 95]


@given(st.lists(st.floats(-50, 250), min_size=1, max_size=6))
def test_no_label_covers_another_or_leaves_the_place(places: list[float]) -> None:
    moved = spread_labels(places, 12, 0, 80)
    assert min(moved) >= 6
    assert max(moved) <= 74
    order = sorted(range(len(places)), key=lambda label: places[label])
    assert all(moved[below] - moved[above] >= 12 - 1e-9 for above, below in pairwise(order))


@pytest.mark.parametrize("count", [0, 1])
def test_few_labels_need_no_room(count: int) -> None:
    assert spread_labels([5.0] * count, 4, 0, 10) == [5.0] * count
