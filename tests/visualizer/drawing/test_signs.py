"""Signs on the board."""

import pytest

from tests.visualizer.drawing.listed import ListedDrawing
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.fit import Fit
from visualizer.drawing.measures import CORNER_SIGNS, MIN_SIGN_SCALE
from visualizer.drawing.rect import Rect
from visualizer.drawing.signs import Sign, draw_board_sign
from visualizer.scene import Extent, Mark
from visualizer.theme import MARK_COLORS

FIT = Fit(40, 0, 0, Arrangement(Extent(0, 0, 20, 20)))
STANDING = [mark for mark in Mark if mark is not Mark.ATTACK_LANE]


def draw(sign: Sign, fit: Fit = FIT) -> ListedDrawing:
    draws = ListedDrawing(unit=1)
    draw_board_sign(draws, fit, sign)
    return draws


@pytest.mark.parametrize("mark", STANDING)
def test_every_sign_is_a_picture_on_its_square(mark: Mark) -> None:
    [picture] = draw(Sign(mark, (3.5, 5.5))).of("picture")
    assert Rect(2.5 * 40, 4.5 * 40, 3 * 40, 3 * 40).contains(
        picture.place.middle_x, picture.place.middle_y
    )


def test_signs_in_a_corner_are_all_in_the_same_one() -> None:
    places = [draw(Sign(mark, (3.5, 5.5))).of("picture")[0].place for mark in CORNER_SIGNS]
    assert len(set(places)) == 1
    assert (places[0].middle_x, places[0].middle_y) < (3.5 * 40, 5.5 * 40)


def test_a_strike_is_a_line_to_the_other_with_a_star_there() -> None:
    draws = draw(Sign(Mark.STRIKE, (1.5, 1.5), (3.5, 1.5)))
    [line] = draws.of("line", MARK_COLORS[Mark.STRIKE])
    [star] = draws.of("picture")
    assert 60 < line.place.x < line.place.right < star.place.middle_x == 140


def test_a_merger_leads_into_the_one() -> None:
    [ring] = draw(Sign(Mark.JOIN, (1.5, 1.5), (3.5, 1.5))).of("picture")
    assert ring.place.middle_x == 60


def test_a_strike_within_one_place_has_no_line() -> None:
    assert draw(Sign(Mark.STRIKE, (1.5, 1.5), (1.5, 1.5))).of("line") == []


def test_an_attack_lane_is_as_large_as_the_squares_it_covers() -> None:
    lane = Sign(Mark.ATTACK_LANE, (1, 1), color="#2f7de1", attack_lanes=(Extent(4, 0, 7, 1),))
    [row] = draw(lane).rows
    assert (row.place, row.color) == (Rect(160, 0, 120, 40), "#2f7de1")


def test_signs_have_a_least_size() -> None:
    [picture] = draw(Sign(Mark.DEATH, (3, 3)), FIT._replace(scale=2)).of("picture")
    assert picture.place.width > MIN_SIGN_SCALE / 2
