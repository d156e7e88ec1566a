"""Blocks as rectangles."""

import pytest

from tests.visualizer.drawing.listed import ListedDrawing
from visualizer.drawing.board import draw_block, draw_portrait
from visualizer.drawing.outline import parse_cells
from visualizer.drawing.rect import Rect
from visualizer.scene import Block
from visualizer.theme import FRONT

FILL, BORDER = "#2f7de1", "#204080"


@pytest.fixture
def draws() -> ListedDrawing:
    return ListedDrawing(unit=1.0)


def a_block(cells: str = "###/#.#/###", front: str = "E") -> Block:
    rows = cells.split("/")
    return Block("trophy", 4, 1, len(rows[0]), len(rows), cells, FILL, BORDER, front)


def rects(draws: ListedDrawing, color: str) -> list[Rect]:
    return [row.place for row in draws.of("rect", color)]


def test_its_squares_are_filled_and_its_hole_is_not(draws: ListedDrawing) -> None:
    draw_block(draws, a_block(), (100, 50), 10)
    filled = rects(draws, FILL)
    assert sum(place.width * place.height for place in filled) == 8 * 100
    middles = [(100 + 10 * x + 5, 50 + 10 * y + 5) for x, y in parse_cells("###/#.#/###")]
    assert all(any(place.contains(x, y) for place in filled) for x, y in middles)
    assert not any(place.contains(115, 65) for place in filled)


def test_its_front_is_heavier_than_the_line_around_it(draws: ListedDrawing) -> None:
    draw_block(draws, a_block("##"), (0, 0), 50)
    assert rects(draws, FRONT) == [Rect(88, 0, 12, 50)]
    assert {min(place.width, place.height) for place in rects(draws, BORDER)} == {4}


def test_a_small_one_has_no_line_around_it_but_a_front(draws: ListedDrawing) -> None:
    draw_block(draws, a_block("##"), (0, 0), 3.2)
    assert rects(draws, BORDER) == []
    assert rects(draws, FRONT) == [Rect(5, 0, 1, 3)]


def test_neighbors_have_no_seam_between_them(draws: ListedDrawing) -> None:
    scale = 3.37
    for number in range(20):
        draw_block(draws, a_block("#", ""), (7.3 + number * scale, 0), scale)
    filled = rects(draws, FILL)
    assert [place.right for place in filled[:-1]] == [place.x for place in filled[1:]]


def test_a_portrait_fits_into_its_place(draws: ListedDrawing) -> None:
    place = Rect(20, 30, 44, 44)
    draw_portrait(draws, a_block("#####/#####"), place, 1.0)
    [filled] = rects(draws, FILL)
    assert place.x <= filled.x
    assert filled.right <= place.right
    assert filled.middle_y == pytest.approx(place.middle_y, abs=1)
