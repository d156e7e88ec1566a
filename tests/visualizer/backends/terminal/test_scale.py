"""How large squares are, and where they lie."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.backends.terminal.scale import Scale, TextRect, best_scale
from visualizer.drawing.arrangement import Arrangement
from visualizer.scene import Extent, Sprite, Tile

SLIME_MIND = Extent(-0.9, -0.9, 30.1, 15.1)
WHOLE = Arrangement(SLIME_MIND)


@pytest.mark.parametrize(
    ("width", "height", "scale"),
    [
        (62, 16, Scale(2, 1)),
        (92, 32, Scale(2, 1)),
        (93, 32, Scale(3, 2)),
        (155, 48, Scale(5, 3)),
        (186, 48, Scale(6, 3)),
    ],
)
def test_the_largest_that_fits_is_taken(width: int, height: int, scale: Scale) -> None:
    assert best_scale(SLIME_MIND, width, height) == scale


def test_where_no_letters_fit_squares_are_dots() -> None:
    scale = best_scale(SLIME_MIND, 61, 16)
    assert scale.are_dots
    assert scale.size(SLIME_MIND) == (31, 8)


@given(
    columns=st.integers(1, 400),
    rows=st.integers(1, 400),
    width=st.integers(10, 250),
    height=st.integers(3, 90),
)
def test_every_board_fits(columns: int, rows: int, width: int, height: int) -> None:
    extent = Extent(0, 0, columns, rows)
    scale = best_scale(extent, width, height)
    across, down = scale.size(extent)
    assert 0 < across <= width
    assert 0 < down <= height


@given(columns=st.integers(2, 9), rows=st.integers(1, 6))
def test_neighbors_touch_and_do_not_overlap(columns: int, rows: int) -> None:
    scale = Scale(columns, rows)
    for x in range(29):
        here, there = (
            scale.place(WHOLE, Sprite("slime", x + step + 0.5, 0.5, 0.6, "slime_1"))
            for step in (0, 1)
        )
        assert here.x + here.width == there.x
        assert here.width == columns
        tile = scale.place(WHOLE, Tile("ground", x, 0, 1, 1, "#000000"))
        assert tile == here


def test_what_is_larger_than_a_square_takes_more_room() -> None:
    sprite = Sprite("giant", 2, 2, 2, "giant")
    assert Scale(3, 2).place(Arrangement(Extent(0, 0, 9, 9)), sprite) == TextRect(3, 2, 6, 4)
