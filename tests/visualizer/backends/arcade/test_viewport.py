"""Where the squares of a board are, all of it to be seen or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.backends.arcade.window_model import Zoom, max_zoom, zoom_in
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.fit import Fit, whole_scale
from visualizer.drawing.rect import Rect
from visualizer.scene import Extent

PLACE = Rect(8, 48, 940, 560)
WHOLE = Fit(3.1, 13, 48, Arrangement(Extent(0, 0, 300, 180)))
zooms = st.builds(Zoom, st.floats(1.01, 40), st.floats(-1, 2), st.floats(-1, 2))


def test_all_of_a_board_is_as_it_was_fitted() -> None:
    assert zoom_in(WHOLE, Zoom(), PLACE) is WHOLE


def test_what_is_looked_at_is_in_the_middle() -> None:
    fit = zoom_in(WHOLE, Zoom(10, 0.5, 0.25), PLACE)
    assert fit.scale == 31
    assert fit.to_pixels(150, 45) == pytest.approx((PLACE.middle_x, PLACE.middle_y), abs=1)
    assert fit.relative_middle(PLACE) == pytest.approx((0.5, 0.25), abs=0.001)


@given(zoom=zooms)
def test_a_board_fills_its_place_or_stands_in_its_middle(zoom: Zoom) -> None:
    fit = zoom_in(WHOLE, zoom, PLACE)
    (left, top), (right, bottom) = fit.to_pixels(0, 0), fit.to_pixels(300, 180)
    for first, last, start, end in (
        (left, right, PLACE.x, PLACE.right),
        (top, bottom, PLACE.y, PLACE.bottom),
    ):
        if last - first > end - start + 1:
            assert first <= start + 1
            assert last >= end - 1
        else:
            assert first - start == pytest.approx(end - last, abs=2)


@given(zoom=zooms, x=st.floats(0, 300), y=st.floats(0, 180))
def test_places_of_window_and_board_belong_together(zoom: Zoom, x: float, y: float) -> None:
    fit = zoom_in(WHOLE, zoom, PLACE)
    assert fit.to_board(*fit.to_pixels(x, y)) == pytest.approx((x, y), abs=1e-6)


def test_larger_squares_are_whole_pixels_wide() -> None:
    assert (whole_scale(3.1), whole_scale(8.7)) == (3.1, 8.0)


def test_a_large_board_can_be_looked_at_as_closely_as_a_small_one() -> None:
    assert max_zoom(Extent(0, 0, 300, 200)) == 25
    assert max_zoom(Extent(0, 0, 20, 20)) == 4
