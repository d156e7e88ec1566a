"""What of a large map stays to be seen: shapes, flags, and all of it beside a part."""

import pytest

from tests.views.matches import load_timeline
from tests.visualizer.drawing.listed import Drawn, ListedDrawing
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.board import BoardPainter, SmallMap
from visualizer.drawing.fit import Fit
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Block

PLACE = Rect(0, 0, 200, 100)


@pytest.fixture(scope="module")
def timeline() -> ReplayTimeline:
    return load_timeline("game_of_death")


def draw(
    timeline: ReplayTimeline, scale: float
) -> tuple[ListedDrawing, BoardPainter[Drawn], Cursor]:
    draws, cursor, scene = ListedDrawing(unit=1), Cursor(timeline), timeline.scene
    cursor.seek(timeline.turn_end(1))
    fit = Fit(scale, 0, 0, Arrangement(scene.extent))
    board = BoardPainter(draws, scene, Sprites("game_of_death"), fit)
    board.draw_things(cursor.things)
    return draws, board, cursor


def test_no_shape_is_thinner_than_six_pixels(timeline: ReplayTimeline) -> None:
    draws, _, cursor = draw(timeline, 2.0)
    shapes = [thing for thing in cursor.things.values() if isinstance(thing, Block)]
    hulls = [row.place for shape in shapes for row in draws.of("rect", shape.border)]
    assert shapes
    assert min(min(place.width, place.height) for place in hulls) == 6


@pytest.mark.parametrize(("scale", "width"), [(2.0, 24), (10.0, 60)])
def test_a_flag_is_at_least_24_pixels_wide(
    timeline: ReplayTimeline, scale: float, width: float
) -> None:
    draws, _, _ = draw(timeline, scale)
    assert {row.place.width for row in draws.of("picture")} == {width}


def test_the_small_map_lies_in_a_corner_and_has_both_teams(timeline: ReplayTimeline) -> None:
    draws, board, cursor = draw(timeline, 10.0)
    draws.rows.clear()
    SmallMap(draws, timeline.scene).draw(0, cursor.things, board.fit, PLACE)
    for team in (1, 2):
        dots = draws.of("rect", timeline.scene.team_color(team))
        assert dots
        assert all(dot.place.x > 100 and dot.place.bottom <= 100 for dot in dots)
