"""Nothing overlaps, and nothing sticks out, in terminals of all sizes."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.backends.terminal.layout import SMALLEST, TerminalLayout, layout
from visualizer.backends.terminal.scale import Scale, TextRect
from visualizer.drawing.arrangement import Arrangement
from visualizer.scene import Extent

SLIME_MIND = Arrangement(Extent(-0.9, -0.9, 30.1, 15.1))


def list_places(places: TerminalLayout) -> list[TextRect]:
    of_columns = [
        place
        for column in places.columns
        for place in (
            *(column.board, *column.panels, column.narration, column.curves, column.events),
        )
        if place
    ]
    return [places.header, *of_columns, places.timeline, places.keys]


def overlap(one: TextRect, other: TextRect) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@given(
    width=st.integers(SMALLEST[0], 300),
    height=st.integers(SMALLEST[1], 100),
    columns=st.integers(2, 60),
    rows=st.integers(2, 60),
    teams=st.integers(1, 6),
)
def test_everything_has_a_place_of_its_own(
    width: int, height: int, columns: int, rows: int, teams: int
) -> None:
    places = layout(width, height, [([Arrangement(Extent(0, 0, columns, rows))], teams)])
    for one, other in combinations(list_places(places), 2):
        assert not overlap(one, other), (one, other)
    for place in list_places(places):
        assert 0 <= place.x <= place.x + place.width <= width, place
        assert 0 <= place.y <= place.y + place.height <= height, place
    for column in places.columns:
        assert all(panel.height >= 1 for panel in column.panels)


@given(width=st.integers(90, 300), height=st.integers(20, 100))
def test_two_films_stand_side_by_side(width: int, height: int) -> None:
    places = layout(width, height, [([SLIME_MIND], 2)] * 2)
    for one, other in combinations(list_places(places), 2):
        assert not overlap(one, other), (one, other)
    left, right = places.columns
    assert left.board.x + left.board.width <= right.board.x
    assert left.scale == right.scale


@pytest.mark.parametrize(
    ("size", "scale"),
    [((80, 24), (2, 1)), ((120, 40), (3, 2)), ((200, 60), (5, 3)), ((50, 50), (1, 0.5))],
)
def test_the_standard_board_at_usual_sizes(
    size: tuple[int, int], scale: tuple[float, float]
) -> None:
    places = layout(*size, [([SLIME_MIND], 2)])
    assert places.columns[0].scale == Scale(*scale)


def test_a_board_with_letters_has_the_room_of_panels_if_it_were_dots_with_them() -> None:
    smack = Arrangement(Extent(-1, -1.9, 33.5, 17.6))
    assert layout(70, 24, [([smack], 2)]).columns[0].panels == ()
    assert layout(70, 24, [([smack], 2)]).columns[0].scale == Scale(2, 1)
    assert len(layout(120, 40, [([smack], 2)]).columns[0].panels) == 2


def test_the_latest_events_stand_beside_the_panels_where_there_is_room() -> None:
    dish = [Arrangement(Extent(0, 0, 25, 28))], 3
    wide, usual = (layout(*size, [dish]).columns[0] for size in ((200, 50), (120, 40)))
    assert usual.events is None
    assert wide.events is not None
    assert wide.events.x > wide.panels[0].x > wide.board.x
    assert (wide.events.width, wide.narration.height) == (79, 2)
