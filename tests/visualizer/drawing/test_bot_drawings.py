"""What bots drew, on a board of pixels."""

import pytest
from PIL import Image

from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.bot_drawings import MAX_ROWS, clip_line, draw_bot_drawing, draw_groups
from visualizer.drawing.fit import Fit
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect
from visualizer.model.drawings import Drawn, Group
from visualizer.scene import Extent
from visualizer.theme import rgb

RED = "#e5484d"
GROUND = (231, 237, 220)
FIT = Fit(20.0, 0.0, 0.0, Arrangement(Extent(0, 0, 10, 10)))


def drawing(form: str, *numbers: float, text: str = "") -> Image.Image:
    """A board of 10 by 10 squares of 20 pixels, with this on it."""
    draws, image = ImageDrawList(1.0), Image.new("RGB", (200, 200), GROUND)
    draw_bot_drawing(draws, FIT, Drawn(1, 1, "", RED, form, numbers, text))
    draws.draw_on(image)
    return image


@pytest.mark.parametrize(
    ("form", "numbers", "on", "off"),
    [
        ("path", (0.5, 0.5, 5.5, 0.5), (60, 10), (60, 30)),
        ("path", (1, 1, 4, 1, 4, 3, 1, 3, 1, 1), (20, 40), (40, 40)),
        ("circle", (5, 5, 2), (140, 100), (100, 100)),
        ("path", (2, 2, 3, 3, 2.5, 2.5, 3, 2, 2, 3), (50, 50), (50, 42)),
    ],
)
def test_a_drawing_lies_where_the_bot_meant_it(
    form: str, numbers: tuple[float, ...], on: tuple[int, int], off: tuple[int, int]
) -> None:
    image = drawing(form, *numbers)
    assert image.getpixel(on) == rgb(RED)
    assert image.getpixel(off) == GROUND


def test_a_text_stands_around_its_square_with_a_rim() -> None:
    colors = {color for _, color in drawing("text", 5, 5, text="HP").getcolors(5_000) or ()}
    assert rgb(RED) in colors
    assert any(sum(color) < 150 or sum(color) > 740 for color in colors if isinstance(color, tuple))


def test_what_is_far_outside_the_board_harms_nothing() -> None:
    assert drawing("path", -10_000, 5.5, 10_000, 5.5).getpixel((100, 110)) == rgb(RED)
    assert drawing("circle", 10_000, 10_000, 10_000).getcolors() == [(40_000, GROUND)]
    assert drawing("text", 50, 50, text="far").getcolors() == [(40_000, GROUND)]
    assert drawing("path", 5, 2, 5, 9_002).getpixel((100, 150)) == rgb(RED)


@pytest.mark.parametrize(
    ("start", "stop", "inside"),
    [
        ((-5, 5), (15, 5), ((0, 5), (10, 5))),
        ((2, 2), (8, 2), ((2, 2), (8, 2))),
        ((5, -5), (5, 50), ((5, 0), (5, 10))),
        ((-5, -5), (15, 15), ((0, 0), (10, 10))),
        ((-5, 5), (-1, 5), None),
        ((-5, 8), (2, 15), None),
        ((20, 2), (20, 8), None),
    ],
)
def test_a_line_is_cut_at_the_edges_of_the_board(
    start: Point, stop: Point, inside: tuple[Point, Point] | None
) -> None:
    found = clip_line(start, stop, Rect(0, 0, 10, 10))
    if inside is None:
        assert found is None
    else:
        assert found is not None
        assert [*found[0], *found[1]] == pytest.approx([*inside[0], *inside[1]])


def test_a_long_line_has_no_gap_between_its_pieces() -> None:
    image = drawing("path", 0.5, 2.5, 9.5, 7.5)
    for x in range(20, 180):
        color = image.getpixel((x, round(50 + (x - 10) * 5 / 9)))
        assert isinstance(color, tuple)
        assert color[1] < (GROUND[1] + rgb(RED)[1]) / 2


def draw_list(groups: int, hidden: set[Group]) -> Image.Image:
    draws, image = ImageDrawList(1.0), Image.new("RGB", (300, 400), GROUND)
    named = [((1, f"{number}"), f"player_one: {number}", RED) for number in range(groups)]
    draw_groups(draws, Rect(0, 0, 300, 400), named, hidden)
    draws.draw_on(image)
    return image


def test_groups_are_listed_as_far_as_there_are_keys_for_them() -> None:
    empty = draw_list(0, set())
    assert empty.getcolors() == [(300 * 400, GROUND)]
    assert draw_list(1, set()) != empty
    assert draw_list(MAX_ROWS, set()) == draw_list(MAX_ROWS + 5, set())


def test_a_group_that_is_switched_off_looks_so_and_a_list_of_none_is_not_shown() -> None:
    hidden: set[Group] = {(1, "0")}
    assert draw_list(2, hidden) != draw_list(2, set())
    assert draw_list(1, hidden) == draw_list(0, set())
