"""Where everything stands in a window."""

from itertools import combinations

import pytest

from tests.cases import for_each
from visualizer.backends.arcade.layout import (
    MIN_SIZE,
    MIN_TEAM_HEIGHT,
    LayoutContent,
    WindowLayout,
    layout,
    pixels_per_point,
)
from visualizer.backends.arcade.sidebar import MIN_SIDEBAR_HEIGHT
from visualizer.drawing.rect import Rect
from visualizer.drawing.team_panel import LOWEST

SIZES = [MIN_SIZE, (1_280, 800), (1_000, 900), (900, 1_100), (1_920, 1_080), (3_840, 2_160)]
CONTENTS = [
    LayoutContent(timelines, teams, lanes=5, is_inspecting=inspecting)
    for timelines, teams in ((1, 2), (2, 2), (1, 3), (1, 4), (1, 6))
    for inspecting in (False, True)
] + [
    LayoutContent(1, teams, lanes=7, is_inspecting=inspecting, aspect=0.9)
    for teams in (2, 3, 6)
    for inspecting in (False, True)
]


def list_parts(made: WindowLayout) -> dict[str, Rect]:
    parts = {"header": made.header, "controls": made.controls}
    named = {"board": made.boards, "graph": made.graphs, "lanes": made.lanes}
    for name, places in named.items():
        parts |= {f"{name} {number}": place for number, place in enumerate(places)}
    for timeline, team_panels in enumerate(made.team_panels):
        parts |= {f"panel {timeline} {team}": place for team, place in enumerate(team_panels)}
    if made.sidebar is not None:
        parts["sidebar"] = made.sidebar
    return parts


def overlap(one: Rect, other: Rect) -> bool:
    return (
        min(one.right, other.right) - max(one.x, other.x) > 0.01
        and min(one.bottom, other.bottom) - max(one.y, other.y) > 0.01
    )


@for_each("size", SIZES)
@for_each("content", CONTENTS)
def test_no_part_covers_another(size: tuple[int, int], content: LayoutContent) -> None:
    parts = list_parts(layout(*size, content))
    covered = [pair for pair in combinations(parts, 2) if overlap(*(parts[name] for name in pair))]
    assert covered == []


@for_each("size", SIZES)
@for_each("content", CONTENTS)
def test_every_part_is_in_the_window_and_has_room(
    size: tuple[int, int], content: LayoutContent
) -> None:
    made = layout(*size, content)
    for name, place in list_parts(made).items():
        assert place.x >= 0, name
        assert place.y >= 0, name
        assert place.right <= size[0] + 0.01, name
        assert place.bottom <= size[1] + 0.01, name
        assert place.width > 50, name
        assert place.height > 20, name


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_has_more_room_than_anything_else(size: tuple[int, int]) -> None:
    parts = list_parts(layout(*size, LayoutContent(1, 2, 5, is_inspecting=True)))
    largest = max(parts, key=lambda name: parts[name].width * parts[name].height)
    assert largest == "board 0"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_board_as_high_as_wide_is_as_large_as_it_can_be(size: tuple[int, int]) -> None:
    above, chosen = (
        min(place.height, place.width / 0.9)
        for aspect in (1.5, 0.9)
        for place in layout(*size, LayoutContent(1, 3, 7, False, aspect)).boards
    )
    assert chosen >= (1.15 if size[0] > 1.3 * size[1] else 1) * above


def test_in_an_upright_window_the_board_has_all_the_width() -> None:
    made = layout(900, 1_300, LayoutContent(1, 2, 5, is_inspecting=False))
    assert made.boards[0].width > 880
    assert made.sidebar is not None
    assert made.sidebar.y > made.boards[0].bottom


def test_graphs_of_two_films_share_their_axis() -> None:
    first, second = layout(1_280, 800, LayoutContent(2, 2, 5, is_inspecting=False)).graphs
    assert (first.x, first.right) == (second.x, second.right)


def test_cards_are_whole_where_there_is_room_for_them() -> None:
    two, six = (layout(1_280, 800, LayoutContent(1, teams, 5, True)) for teams in (2, 6))
    assert two.team_panels[0][0].height >= MIN_TEAM_HEIGHT
    assert six.team_panels[0][0].height < LOWEST


@for_each("size", SIZES)
@for_each("teams", [2, 3, 4, 5, 6])
def test_what_just_happened_can_be_read_below_all_cards(size: tuple[int, int], teams: int) -> None:
    made = layout(*size, LayoutContent(1, teams, 5, is_inspecting=False))
    assert made.sidebar is not None
    assert made.sidebar.height >= MIN_SIDEBAR_HEIGHT * made.unit


def test_text_grows_with_the_window_but_less() -> None:
    assert pixels_per_point(1_280, 800) == 1
    assert pixels_per_point(2_560, 1_600) == 1.5


def test_a_window_of_a_fine_screen_is_the_same_with_more_pixels() -> None:
    assert pixels_per_point(2_560, 1_600, pixel_ratio=2) == 2
