"""Rows for the graphics card."""

from math import pi

import pytest

from visualizer.window.atlas import Atlas
from visualizer.window.ink import ROW, Ink
from visualizer.window.rect import Rect


@pytest.fixture
def ink() -> Ink:
    return Ink(Atlas(), unit=2.0)


def places(ink: Ink) -> list[tuple[float, ...]]:
    return [ROW.unpack(row)[:4] for row in ink.rows]


def test_a_rectangle_is_a_row_with_its_colour(ink: Ink) -> None:
    ink.rect(Rect(1, 2, 3, 4), "#102030", 0.5)
    [row] = map(ROW.unpack, ink.rows)
    assert row[:4] == (1, 2, 3, 4)
    assert row[8:12] == (0x10, 0x20, 0x30, 128)


def test_a_rounded_rectangle_fills_its_place(ink: Ink) -> None:
    ink.rounded(Rect(10, 10, 60, 40), 8, "#102030")
    lefts, tops, widths, heights = zip(*places(ink), strict=True)
    assert (min(lefts), min(tops)) == (10, 10)
    assert max(x + w for x, w in zip(lefts, widths, strict=True)) == 70
    assert max(y + h for y, h in zip(tops, heights, strict=True)) == 50
    assert sum(w * h for w, h in zip(widths, heights, strict=True)) == 60 * 40


def test_a_line_is_turned_into_its_direction(ink: Ink) -> None:
    ink.line((10, 10), (10, 30), 2, "#102030")
    [row] = map(ROW.unpack, ink.rows)
    assert row[:4] == (0, 18, 20, 4)
    assert row[12] == pytest.approx(pi / 2)


def test_text_stands_on_whole_pixels_from_its_left_edge(ink: Ink) -> None:
    width = ink.text(10.4, 50, "slime", 12, "#ffffff")
    assert all(value == int(value) for place in places(ink) for value in place)
    assert len(ink.rows) == len("slime")
    assert 8 <= places(ink)[0][0] <= 13
    assert width == ink.width_of("slime", 12)


def test_text_ends_at_its_right_edge(ink: Ink) -> None:
    ink.text(200, 50, "slime", 12, "#ffffff", align=1.0)
    assert max(x + width for x, _, width, _ in places(ink)) <= 201


def test_spaces_leave_no_rows(ink: Ink) -> None:
    ink.text(0, 0, "a b", 12, "#ffffff")
    assert len(ink.rows) == 2


def test_what_is_no_letter_is_a_dot(ink: Ink) -> None:
    ink.text(0, 0, "a\x1b\u202e", 12, "#ffffff")
    assert len(ink.rows) == 3
    assert places(ink)[1][2:] == places(ink)[2][2:]
