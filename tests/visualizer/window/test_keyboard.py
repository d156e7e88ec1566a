"""Keys that are pressed and held."""

from pathlib import Path

import pytest

from tests.visualizer.window.films import a_film, a_showing
from visualizer.window.keyboard import PATIENCE_S, PAUSE_S, Keyboard
from visualizer.window.showing import Showing


@pytest.fixture
def showing(tmp_path: Path) -> Showing:
    return a_showing(a_film(tmp_path))


@pytest.fixture
def keyboard(showing: Showing) -> Keyboard:
    return Keyboard(showing)


def passes(seconds: float, showing: Showing, keyboard: Keyboard) -> int:
    """Where the playhead is afterwards."""
    showing.tick(seconds)
    keyboard.tick()
    return showing.playback.position()


def test_a_key_that_is_held_steps_on_after_a_while(showing: Showing, keyboard: Keyboard) -> None:
    keyboard.press("RIGHT", with_shift=False)
    assert passes(PATIENCE_S / 2, showing, keyboard) == 1
    assert passes(PATIENCE_S, showing, keyboard) == 2
    assert passes(PAUSE_S / 2, showing, keyboard) == 2
    assert passes(PAUSE_S, showing, keyboard) == 3


def test_a_key_that_is_let_go_stops_at_once(showing: Showing, keyboard: Keyboard) -> None:
    keyboard.press("RIGHT", with_shift=False)
    keyboard.release("LEFT")
    assert passes(2 * PATIENCE_S, showing, keyboard) == 2
    keyboard.release("RIGHT")
    assert passes(2 * PATIENCE_S, showing, keyboard) == 2


def test_a_switch_is_not_switched_to_and_fro(showing: Showing, keyboard: Keyboard) -> None:
    keyboard.press("H", with_shift=False)
    passes(2 * PATIENCE_S, showing, keyboard)
    assert showing.is_help_open


def test_shift_makes_another_action_only_where_there_is_one(
    showing: Showing, keyboard: Keyboard
) -> None:
    keyboard.press("RIGHT", with_shift=True)
    assert showing.playback.time == 1
    keyboard.press("H", with_shift=True)
    assert showing.is_help_open
