"""Where things stand in pictures of all sizes."""

from itertools import combinations

import pytest

from engine.errors import UsageError
from tests.cases import for_each
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.picture_layout import WITH_FACTS, ImageLayout, layout_for
from visualizer.drawing.rect import Rect
from visualizer.scene import Extent

SIZES = [(640, 360), (960, 544), (1080, 1080), (1080, 1920), (3840, 2160), (480, 360), (1600, 400)]
WIDE = Arrangement(Extent(-0.9, -0.9, 30.1, 15.1))
TALL = Arrangement(Extent(0, 0, 200, 300))
SQUARE = Arrangement(Extent(0, 0, 20, 20))


def boxes(layout: ImageLayout) -> list[Rect]:
    return [layout.header, *layout.panels, layout.graph, layout.board]


def is_within(box: Rect, size: tuple[int, int]) -> bool:
    return box.x >= 0 and box.y >= 0 and box.right <= size[0] and box.bottom <= size[1]


def do_meet(one: Rect, other: Rect) -> bool:
    beside = one.right <= other.x or other.right <= one.x
    return not (beside or one.bottom <= other.y or other.bottom <= one.y)


@for_each(
    "size, teams",
    [
        (size, teams)
        for size in SIZES
        for teams in (2, 3, 6)
        if teams < 6 or min(size) >= 500  # six panels need more room
    ],
)
@for_each("whole", [WIDE, TALL, SQUARE])
def test_everything_is_in_the_picture_and_nothing_on_top_of_another(
    size: tuple[int, int], whole: Arrangement, teams: int
) -> None:
    layout = layout_for(size, [whole], teams)
    assert len(layout.panels) == teams
    assert all(is_within(box, size) for box in boxes(layout))
    assert not any(do_meet(one, other) for one, other in combinations(boxes(layout), 2))
    assert all(box.width > 0 and box.height > 0 for box in boxes(layout))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_keeps_its_shape(size: tuple[int, int]) -> None:
    board = layout_for(size, [WIDE], 2).board
    assert board.width / board.height == pytest.approx(
        WIDE.extent.width / WIDE.extent.height, rel=0.02
    )


def test_squares_are_whole_pixels_unless_they_are_tiny() -> None:
    assert layout_for((1280, 720), [WIDE], 2).fit.scale == 31
    assert 2 < layout_for((1280, 720), [TALL], 2).fit.scale < 8


def test_a_wide_board_lies_below_the_panels_and_a_tall_one_beside_them() -> None:
    wide, tall = layout_for((1280, 720), [WIDE], 2), layout_for((1280, 720), [TALL], 2)
    assert wide.board.y > wide.panels[0].bottom
    assert tall.board.x > tall.panels[0].right


def test_in_an_upright_picture_letters_and_graph_grow() -> None:
    upright, lying = layout_for((1080, 1920), [WIDE], 2), layout_for((1920, 1080), [WIDE], 2)
    assert upright.unit > lying.unit
    assert upright.graph.y > upright.board.bottom
    assert upright.graph.height > lying.graph.height


def test_a_picture_too_small_for_many_teams_is_refused() -> None:
    with pytest.raises(UsageError, match="320x240: too small"):
        layout_for((320, 240), [WIDE], 6)


@pytest.mark.parametrize("size", [(640, 360), (800, 450), (1280, 720)], ids=str)
def test_larger_letters_take_no_facts_from_the_panels(size: tuple[int, int]) -> None:
    layout = layout_for(size, [Arrangement(Extent(-0.9, -0.9, 24.15, 26.85))], 3)
    assert min(panel.height for panel in layout.panels) >= WITH_FACTS * layout.unit
