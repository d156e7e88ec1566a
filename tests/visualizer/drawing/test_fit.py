"""How a board is shown in a place."""

from visualizer.drawing.arrangement import Arrangement, stack_parts
from visualizer.drawing.fit import Fit, scale_in
from visualizer.drawing.rect import Rect
from visualizer.scene import Extent


def make_fit(extent: Extent, place: Rect) -> Fit:
    return Fit(scale_in(place, extent), 0, 0, Arrangement(extent)).clamp_to(place)


def test_a_board_lies_in_the_middle_of_its_place_on_whole_pixels() -> None:
    fit = make_fit(Extent(-1, -1, 30, 15), Rect(100, 50, 640, 400))
    assert fit[:3] == (20, 100 + 10 + 20, 50 + 40 + 20)


def test_a_board_of_tiny_squares_still_fits() -> None:
    assert make_fit(Extent(0, 0, 300, 200), Rect(0, 0, 640, 400))[:3] == (2, 20, 0)


def test_neighbors_have_no_seam_between_them() -> None:
    fit = Fit(3.37, 7.3, 0.4, Arrangement(Extent(0, 0, 20, 20)))
    places = [fit.pixel_rect(x, 0, x + 1, 1) for x in range(20)]
    assert [place.right for place in places[:-1]] == [place.x for place in places[1:]]


def test_a_rectangle_at_the_edge_of_a_part_stays_whole_where_parts_are_stacked() -> None:
    parts = Extent(0, 0, 4, 4), Extent(4, 0, 8, 4)
    fit = Fit(10, 0, 0, stack_parts(parts))
    assert fit.pixel_rect(3, 0, 4, 1) == Rect(30, 0, 10, 10)
