"""Cutting rectangles."""

from visualizer.drawing.rect import Rect

PLACE = Rect(10, 20, 100, 50)


def test_a_cut_leaves_the_rest_beyond_the_gap() -> None:
    assert PLACE.cut_top(20, 5) == (Rect(10, 20, 100, 20), Rect(10, 45, 100, 25))
    assert PLACE.cut_bottom(20, 5) == (Rect(10, 50, 100, 20), Rect(10, 20, 100, 25))
    assert PLACE.cut_right(30, 5) == (Rect(80, 20, 30, 50), Rect(10, 20, 65, 50))


def test_a_cut_larger_than_the_place_leaves_nothing() -> None:
    cut, rest = PLACE.cut_top(80, 5)
    assert (cut.height, rest.height) == (50, 0)


def test_columns_and_rows_fill_their_place() -> None:
    assert PLACE.columns(2, 10) == [Rect(10, 20, 45, 50), Rect(65, 20, 45, 50)]
    assert PLACE.rows(2, 10) == [Rect(10, 20, 100, 20), Rect(10, 50, 100, 20)]


def test_the_right_edge_belongs_to_the_next() -> None:
    assert PLACE.contains(10, 20)
    assert not PLACE.contains(110, 20)


def test_an_inset_never_turns_inside_out() -> None:
    assert PLACE.inset(60).width == 0
