"""What keys and buttons do."""

from collections import Counter
from pathlib import Path

import pytest

from tests.visualizer.window.films import a_film, a_showing
from visualizer.window import icons
from visualizer.window.actions import ACTIONS, GROUPS, LET_GO, action_of, keys_in_words, named
from visualizer.window.fit import Zoom, most_of
from visualizer.window.showing import Showing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


@pytest.fixture
def showing(folder: Path) -> Showing:
    showing = a_showing(a_film(folder))
    showing.playback.seek_turn(20)
    showing.tick(0)
    return showing


def after(showing: Showing, name: str) -> Showing:
    named(name).do(showing)
    return showing


def test_no_key_does_two_things() -> None:
    assert max(Counter(key for action in ACTIONS for key in action.keys).values()) == 1


def test_every_action_has_a_key_and_words() -> None:
    assert all(keys_in_words(action) and action.says for action in ACTIONS)


def test_every_action_but_letting_go_has_a_button_with_a_picture() -> None:
    buttons = [action for group in GROUPS for action in group]
    assert [*buttons, LET_GO] == list(ACTIONS)
    assert all(action.name in icons.BUTTONS for action in buttons)


def test_keys_are_written_as_on_a_keyboard() -> None:
    assert keys_in_words(named("turn_on")) == ["Shift →", "Page ↓"]
    assert keys_in_words(named("faster")) == ["+"]


def test_a_key_that_does_nothing_is_no_action() -> None:
    assert action_of("X") is None


def test_play_starts_and_stops(showing: Showing) -> None:
    assert [after(showing, "play").playback.is_playing for _ in range(2)] == [True, False]


def test_rounds_are_stepped_one_by_one(showing: Showing) -> None:
    here = showing.playback.position()
    assert after(showing, "step_on").playback.position() == here + 1
    assert after(showing, "step_back").playback.position() == here


def test_turns_are_stepped_from_end_to_end(showing: Showing) -> None:
    assert after(showing, "turn_on").playback.time == 21
    assert after(showing, "turn_back").playback.time == 20


def test_restart_plays_from_the_beginning(showing: Showing) -> None:
    playback = after(showing, "restart").playback
    assert (playback.time, playback.is_playing) == (0, True)


def test_the_end_is_the_last_turn_known(showing: Showing) -> None:
    assert after(showing, "end").playback.time == showing.playback.end


def test_marks_are_jumped_to_in_both_directions(showing: Showing) -> None:
    film = showing.reels[0].film
    marks = {mark.position for mark in film.marks}
    here = showing.playback.position()
    on = after(showing, "mark_on").playback.position()
    back = after(showing, "mark_back").playback.position()
    assert on == min(mark for mark in marks if mark > here)
    assert back == max(mark for mark in marks if mark < on)


def test_speed_goes_up_and_down_and_as_fast_as_possible(showing: Showing) -> None:
    assert after(showing, "faster").playback.speed == 2
    assert after(showing, "slower").playback.speed == 1
    assert after(showing, "fastest").playback.is_fastest
    assert after(showing, "fastest").playback.speed == 1


def test_boards_are_looked_at_more_closely_and_as_a_whole_again(showing: Showing) -> None:
    assert after(showing, "zoom_in").zooms == [Zoom(1.5)]
    assert after(showing, "zoom_in").is_closer
    assert after(showing, "zoom_out").zooms == [Zoom(1.5)]
    assert after(showing, "zoom_fit").zooms == [Zoom()]
    assert not after(showing, "zoom_out").is_closer


def test_one_cannot_go_closer_than_a_few_squares(showing: Showing) -> None:
    for _ in range(30):
        after(showing, "zoom_in")
    assert showing.zooms == [Zoom(most_of(showing.reels[0].film.scene.extent))]


def test_escape_closes_the_help_before_it_lets_go_of_a_piece(showing: Showing) -> None:
    showing.select(showing.thing_at(0, *_somewhere(showing)))
    after(showing, "help")
    seen = []
    for _ in range(3):
        seen.append((showing.is_help_open, showing.selected is not None))
        LET_GO.do(showing)
    assert seen == [(True, True), (False, True), (False, False)]


def test_the_window_is_asked_to_close_and_to_fill_the_screen(showing: Showing) -> None:
    assert after(showing, "full_screen").is_full_screen
    assert after(showing, "close").is_closing


def _somewhere(showing: Showing) -> tuple[float, float]:
    thing = next(iter(showing.reels[0].cursor.things.values()))
    return thing.x, thing.y
