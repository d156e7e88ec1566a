"""What keys and buttons do."""

from collections import Counter
from pathlib import Path

import pytest

from tests.views.matches import load_timeline
from tests.visualizer.backends.arcade.timelines import a_model, a_timeline
from visualizer.backends.arcade.actions import (
    ACTIONS,
    DESELECT,
    GROUPS,
    SWITCHES,
    WITHOUT_BUTTON,
    find_action_by_key,
    find_action_by_name,
    keys_in_words,
)
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import WindowModel, Zoom, max_zoom
from visualizer.drawing import icons
from visualizer.drawing.sprites import Sprites
from visualizer.model.story import find_key_moments


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture
def model(folder: Path) -> WindowModel:
    model = a_model(a_timeline(folder))
    model.playback.seek_turn(20)
    model.tick(0)
    return model


def after(model: WindowModel, name: str) -> WindowModel:
    find_action_by_name(name).do(model)
    return model


def test_no_key_does_two_things() -> None:
    actions = (*ACTIONS, *SWITCHES)
    assert max(Counter(key for action in actions for key in action.keys).values()) == 1


def test_every_action_has_a_key_and_words() -> None:
    assert all(keys_in_words(action) and action.says for action in ACTIONS)


def test_every_action_but_some_has_a_button_with_a_picture() -> None:
    buttons = [action for group in GROUPS for action in group]
    assert [*buttons, *WITHOUT_BUTTON] == list(ACTIONS)
    assert all(action.name in icons.BUTTONS for action in buttons)


def test_keys_are_written_as_on_a_keyboard() -> None:
    assert keys_in_words(find_action_by_name("turn_on")) == ["Shift →", "Page ↓"]
    assert keys_in_words(find_action_by_name("faster")) == ["+"]


def test_a_key_that_does_nothing_is_no_action() -> None:
    assert find_action_by_key("X") is None


def test_play_starts_and_stops(model: WindowModel) -> None:
    assert [after(model, "play").playback.is_playing for _ in range(2)] == [True, False]


def test_rounds_are_stepped_one_by_one(model: WindowModel) -> None:
    here = model.playback.position()
    assert after(model, "step_on").playback.position() == here + 1
    assert after(model, "step_back").playback.position() == here


def test_turns_are_stepped_from_end_to_end(model: WindowModel) -> None:
    assert after(model, "turn_on").playback.time == 21
    assert after(model, "turn_back").playback.time == 20


def test_restart_plays_from_the_beginning(model: WindowModel) -> None:
    playback = after(model, "restart").playback
    assert (playback.time, playback.is_playing) == (0, True)


def test_the_end_is_the_last_turn_known(model: WindowModel) -> None:
    assert after(model, "end").playback.time == model.playback.end


def test_key_moments_are_jumped_to_in_both_directions(model: WindowModel) -> None:
    timeline = model.views[0].timeline
    turns = 0, *find_key_moments(timeline.scores), timeline.last_turn
    marks = {timeline.turn_end(turn) for turn in turns}
    here = model.playback.position()
    on = after(model, "mark_on").playback.position()
    back = after(model, "mark_back").playback.position()
    assert on == min(mark for mark in marks if mark > here)
    assert back == max(mark for mark in marks if mark < on)


def test_speed_goes_up_and_down_and_as_fast_as_possible(model: WindowModel) -> None:
    assert after(model, "faster").playback.speed == 2
    assert after(model, "slower").playback.speed == 1
    assert after(model, "fastest").playback.is_fastest
    assert after(model, "fastest").playback.speed == 1


def test_boards_are_looked_at_more_closely_and_as_a_whole_again(model: WindowModel) -> None:
    assert after(model, "zoom_in").zooms == [Zoom(1.5)]
    assert after(model, "zoom_in").is_closer
    assert after(model, "zoom_out").zooms == [Zoom(1.5)]
    assert after(model, "zoom_fit").zooms == [Zoom()]
    assert not after(model, "zoom_out").is_closer


def test_one_cannot_go_closer_than_a_few_squares(model: WindowModel) -> None:
    for _ in range(30):
        after(model, "zoom_in")
    assert model.zooms == [Zoom(max_zoom(model.views[0].timeline.scene.extent))]


def test_escape_closes_the_help_before_it_lets_go_of_a_piece(model: WindowModel) -> None:
    model.select(model.thing_at(0, *_somewhere(model)))
    after(model, "help")
    seen = []
    for _ in range(3):
        seen.append((model.is_help_open, model.selected is not None))
        DESELECT.do(model)
    assert seen == [(True, True), (False, True), (False, False)]


def test_the_window_is_asked_to_close_and_to_fill_the_screen(model: WindowModel) -> None:
    assert after(model, "full_screen").is_full_screen
    assert after(model, "close").is_closing


def _somewhere(model: WindowModel) -> tuple[float, float]:
    thing = next(iter(model.views[0].cursor.things.values()))
    return thing.x, thing.y


def test_the_window_follows_the_fight_of_a_large_map_until_it_is_zoomed(tmp_path: Path) -> None:
    timeline = load_timeline("game_of_death")
    model = WindowModel([ReplayView(timeline, Sprites("game_of_death"), tmp_path)])
    frame = WindowFrame(model, 1280, 800, 1.0)
    frame.follow()
    assert model.zooms == [Zoom()]  # at first all of it is shown
    model.begin_at(30)
    frame.follow()
    part, board = timeline.camera.part_at(30), frame.layout.boards[0]
    assert part is not None
    left, top = frame.fit(0).to_pixels(part.left, part.top)
    assert board.x - 1 <= left
    assert board.y - 1 <= top
    looked = model.zooms[0].factor
    assert looked > 1.3
    assert not after(model, "zoom_in").is_looking
    frame.follow()
    assert model.zooms[0].factor > looked
    assert after(model, "zoom_fit").is_looking
    assert not after(model, "zoom_fit").is_looking
    assert model.zooms == [Zoom()]
