"""What the mouse does."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.views.matches import load_timeline
from tests.visualizer.backends.arcade.timelines import a_model, a_timeline
from visualizer.backends.arcade.actions import ACTIONS, WITHOUT_BUTTON, Action
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.layout import MIN_SIZE
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.user_input import Pointing
from visualizer.backends.arcade.window_model import Target, WindowModel
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture
def frame(folder: Path) -> WindowFrame:
    frame = WindowFrame(a_model(a_timeline(folder)), 1_280, 800, 1.0)
    frame.model.playback.seek_turn(20)
    frame.model.tick(0)
    return frame


@pytest.fixture
def mouse(frame: WindowFrame) -> Pointing:
    return Pointing(frame)


def middle(place: Rect) -> tuple[float, float]:
    return place.middle_x, place.middle_y


def click(mouse: Pointing, place: tuple[float, float]) -> None:
    mouse.press(*place)
    mouse.release()


def a_thing(frame: WindowFrame) -> tuple[int, tuple[float, float]]:
    thing_id, thing = next(iter(frame.model.views[0].cursor.things.items()))
    return thing_id, frame.fit(0).to_pixels(thing.x, thing.y)


@pytest.mark.parametrize(
    "action", [a for a in ACTIONS if a not in WITHOUT_BUTTON], ids=lambda a: a.name
)
def test_every_button_is_found_under_the_mouse_and_lights_up(
    action: Action, frame: WindowFrame, mouse: Pointing
) -> None:
    [place] = [place for found, place in frame.buttons() if found is action]
    mouse.move(*middle(place))
    assert frame.action_at(*middle(place)) is action
    assert frame.model.hovered_action == action.name


def test_buttons_stand_side_by_side_in_the_smallest_window(frame: WindowFrame) -> None:
    frame.resize(*MIN_SIZE, 1.0)
    places = sorted(place for _, place in frame.buttons())
    assert all(one.right <= other.x for one, other in pairwise(places))
    assert places[-1].right <= frame.layout.controls.right + 1


def test_a_button_does_what_it_says(frame: WindowFrame, mouse: Pointing) -> None:
    place = {action.name: place for action, place in frame.buttons()}["play"]
    mouse.press(*middle(place))
    assert frame.model.playback.is_playing


def test_a_click_on_a_piece_looks_into_it_and_one_beside_lets_go(
    frame: WindowFrame, mouse: Pointing
) -> None:
    thing_id, place = a_thing(frame)
    click(mouse, place)
    assert frame.model.selected == Target(0, thing_id)
    board = frame.layout.boards[0]
    click(mouse, (board.x + 1, board.y + 1))
    assert frame.model.selected is None


def test_a_piece_under_the_mouse_is_hovered_until_the_mouse_leaves(
    frame: WindowFrame, mouse: Pointing
) -> None:
    thing_id, place = a_thing(frame)
    mouse.move(*place)
    assert frame.model.hovered == Target(0, thing_id)
    mouse.leave()
    assert frame.model.hovered is None


def test_the_inspector_has_a_button_that_closes_it(frame: WindowFrame, mouse: Pointing) -> None:
    click(mouse, a_thing(frame)[1])
    place = frame.close_inspector()
    assert place is not None
    mouse.press(*middle(place))
    assert frame.model.selected is None
    assert frame.close_inspector() is None


def test_the_timeline_is_dragged_even_beyond_its_edges(frame: WindowFrame, mouse: Pointing) -> None:
    timeline, playback = frame.layout.timeline, frame.model.playback
    mouse.press(*middle(timeline))
    assert playback.time == pytest.approx(frame.model.end / 2)
    mouse.drag(timeline.right + 500, 5)
    assert playback.time == playback.end
    mouse.drag(timeline.x - 500, 5)
    assert playback.time == 0
    mouse.release()
    mouse.drag(*middle(timeline))
    assert playback.time == 0


def test_a_place_of_the_timeline_is_told_by_its_turn(frame: WindowFrame, mouse: Pointing) -> None:
    mouse.move(frame.x_at(30), frame.layout.timeline.middle_y)
    assert frame.model.hovered_time == pytest.approx(30)


def test_the_wheel_scrolls_the_history(frame: WindowFrame, mouse: Pointing) -> None:
    sidebar = frame.layout.sidebar
    assert sidebar is not None
    mouse.scroll(*middle(sidebar), -1)
    assert frame.model.scrolled == 3
    mouse.scroll(*middle(sidebar), 2)
    assert frame.model.scrolled == 0
    assert not frame.model.is_closer


def test_the_wheel_on_a_board_goes_closer_to_what_is_under_the_mouse(
    frame: WindowFrame, mouse: Pointing
) -> None:
    place = middle(frame.layout.boards[0])
    fitted, under = frame.fit(0), frame.fit(0).to_board(*place)
    mouse.scroll(*place, 2)
    fit = frame.fit(0)
    assert fit.scale > 1.3 * fitted.scale
    assert fit.to_pixels(*under) == pytest.approx(place, abs=2)
    mouse.scroll(*place, -2)
    assert frame.fit(0) == fitted
    assert frame.model.scrolled == 0


def test_a_board_that_is_larger_than_its_place_is_dragged_to_its_edges(
    frame: WindowFrame, mouse: Pointing
) -> None:
    board = frame.layout.boards[0]
    mouse.scroll(*middle(board), 5)
    before, corner = frame.fit(0), frame.fit(0).arrangement.extent[:2]
    mouse.press(*middle(board))
    mouse.drag(board.middle_x + 30, board.middle_y - 20)
    assert frame.fit(0) == before.move_by(30, -20)
    mouse.drag(board.middle_x + 5_000, board.middle_y + 5_000)
    assert frame.fit(0).to_pixels(*corner) == pytest.approx((board.x, board.y), abs=1)
    mouse.release()
    mouse.drag(*middle(board))
    assert frame.fit(0).to_pixels(*corner) == pytest.approx((board.x, board.y), abs=1)
    assert frame.model.selected is None


def test_a_board_that_is_all_to_be_seen_stays_where_it_is(
    frame: WindowFrame, mouse: Pointing
) -> None:
    before, (_, place) = frame.fit(0), a_thing(frame)
    mouse.press(*place)
    mouse.drag(place[0] + 90, place[1] + 40)
    mouse.release()
    assert frame.fit(0) == before
    assert frame.model.selected is None


def test_a_hand_that_trembles_still_clicks(frame: WindowFrame, mouse: Pointing) -> None:
    thing_id, (x, y) = a_thing(frame)
    mouse.press(x, y)
    mouse.drag(x + 2, y - 1)
    mouse.release()
    assert frame.model.selected == Target(0, thing_id)


def test_what_is_under_the_mouse_is_found_close_up_too(frame: WindowFrame, mouse: Pointing) -> None:
    thing_id, place = a_thing(frame)
    mouse.scroll(*place, 6)
    mouse.move(*a_thing(frame)[1])
    assert frame.model.hovered == Target(0, thing_id)


def test_boards_side_by_side_are_looked_at_one_by_one(folder: Path) -> None:
    frame = WindowFrame(a_model(a_timeline(folder), a_timeline(folder, seed=2)), 1_280, 800, 1.0)
    fits = frame.fit(0), frame.fit(1)
    Pointing(frame).scroll(*middle(frame.layout.boards[1]), 3)
    assert frame.fit(0) == fits[0]
    assert frame.fit(1).scale > fits[1].scale


def test_a_click_anywhere_closes_the_help_and_does_nothing_else(
    frame: WindowFrame, mouse: Pointing
) -> None:
    frame.model.toggle_help()
    click(mouse, a_thing(frame)[1])
    assert not frame.model.is_help_open
    assert frame.model.selected is None


def test_a_click_on_the_mark_of_a_quiet_stretch_unfolds_it_and_folds_it_again(
    folder: Path,
) -> None:
    timeline = load_timeline("slime_mind")
    frame = WindowFrame(
        WindowModel([ReplayView(timeline, Sprites("slime_mind"), folder)]), 1_280, 800, 1.0
    )
    playback, mouse = frame.model.playback, Pointing(frame)
    stretch = playback.quiet[0]
    narrow = frame.fold_rect(stretch).width
    click(mouse, middle(frame.fold_rect(stretch)))
    assert (playback.unfolded, playback.time) == ({stretch}, 0)
    assert frame.fold_rect(stretch).width > 2 * narrow
    click(mouse, middle(frame.fold_rect(stretch)))
    assert not playback.unfolded
    for time in (1, stretch.begin + 1, 250):
        assert frame.time_at(frame.x_at(time)) == pytest.approx(time)
