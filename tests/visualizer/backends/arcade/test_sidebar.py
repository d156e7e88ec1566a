"""The last step and the moves of a board game beside the board."""

from collections.abc import Callable

import pytest

from tests.visualizer.drawing.listed import ListedDrawing
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.sidebar import draw_hint, draw_step
from visualizer.drawing.legend import Legend
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import ACCENT, ON_ACCENT

Draw = Callable[[ListedDrawing, Rect, ReplayView, Legend], None]


def make_view(timeline: ReplayTimeline, position: int) -> ReplayView:
    view = ReplayView(timeline, Sprites(timeline.replay.game.name), timeline.replay.path.parent)
    view.begin_at(position, 0)
    return view


def make_legend(view: ReplayView, draws: ListedDrawing) -> Legend:
    return Legend(draws, view.timeline, view.sprites)


@pytest.mark.parametrize("draw", [draw_step, draw_hint])
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_the_moves_of_a_board_game_are_listed_around_the_last_ones(
    draw: Draw, share: float, smack_timeline: ReplayTimeline
) -> None:
    view = make_view(smack_timeline, int(smack_timeline.steps * share))
    draws = ListedDrawing(unit=1)
    draw(draws, Rect(10, 20, 316, 446), view, make_legend(view, draws))
    assert {"board 1", "board 2"} <= set(draws.texts)
    numbers = [view.move_list.last_move_number(board, view.cursor.position) for board in (0, 1)]
    last = [
        moves[number].words
        for moves, number in zip(view.move_list.boards, numbers, strict=True)
        if number is not None
    ]
    marked = [text.about for text in draws.of("text", ON_ACCENT) if "-" in text.about]
    assert marked == last
    assert len(draws.of("rounded", ACCENT)) == len(last)
    bottoms = [row.place.bottom for row in draws.of("text")]
    assert max(bottoms) <= 466


def test_where_there_is_little_room_the_last_step_has_all_of_it(
    smack_timeline: ReplayTimeline,
) -> None:
    draws, view = ListedDrawing(unit=1), make_view(smack_timeline, 9)
    draw_step(draws, Rect(10, 20, 316, 200), view, make_legend(view, draws))
    assert "This step" in draws.texts
    assert "board 1" not in draws.texts
