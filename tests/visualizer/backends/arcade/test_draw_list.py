"""Rows for the graphics card."""

from math import pi

import pytest

from visualizer.backends.arcade.atlas import Atlas
from visualizer.backends.arcade.draw_list import ROW_LAYOUT, CardDrawList
from visualizer.drawing.rect import Rect


@pytest.fixture
def draws() -> CardDrawList:
    return CardDrawList(Atlas(), unit=2.0)


def places(draws: CardDrawList) -> list[tuple[float, ...]]:
    return [ROW_LAYOUT.unpack(row)[:4] for row in draws.rows]


def test_a_rectangle_is_a_row_with_its_color(draws: CardDrawList) -> None:
    draws.rect(Rect(1, 2, 3, 4), "#102030", 0.5)
    [row] = map(ROW_LAYOUT.unpack, draws.rows)
    assert row[:4] == (1, 2, 3, 4)
    assert row[8:12] == (0x10, 0x20, 0x30, 128)


def test_a_rounded_rectangle_fills_its_place(draws: CardDrawList) -> None:
    draws.rounded_rect(Rect(10, 10, 60, 40), 8, "#102030")
    lefts, tops, widths, heights = zip(*places(draws), strict=True)
    assert (min(lefts), min(tops)) == (10, 10)
    assert max(x + w for x, w in zip(lefts, widths, strict=True)) == 70
    assert max(y + h for y, h in zip(tops, heights, strict=True)) == 50
    assert sum(w * h for w, h in zip(widths, heights, strict=True)) == 60 * 40


def test_a_line_is_turned_into_its_direction(draws: CardDrawList) -> None:
    draws.line([(10, 10), (10, 30)], 2, "#102030")
    [row] = map(ROW_LAYOUT.unpack, draws.rows)
    assert row[:4] == (0, 18, 20, 4)
    assert row[12] == pytest.approx(pi / 2)


def test_text_stands_on_whole_pixels_from_its_left_edge(draws: CardDrawList) -> None:
    width = draws.text(10.4, 50, "slime", 12, "#ffffff")
    assert all(value == int(value) for place in places(draws) for value in place)
    assert len(draws.rows) == len("slime")
    assert 8 <= places(draws)[0][0] <= 13
    assert width == draws.text_width("slime", 12)


def test_text_ends_at_its_right_edge(draws: CardDrawList) -> None:
    draws.text(200, 50, "slime", 12, "#ffffff", align=1.0)
    assert max(x + width for x, _, width, _ in places(draws)) <= 201


def test_spaces_leave_no_rows(draws: CardDrawList) -> None:
    draws.text(0, 0, "a b", 12, "#ffffff")
    assert len(draws.rows) == 2


def test_what_is_no_letter_is_a_dot(draws: CardDrawList) -> None:
    draws.text(0, 0, "a\x1b\u202e", 12, "#ffffff")
    assert len(draws.rows) == 3
    assert places(draws)[1][2:] == places(draws)[2][2:]
