"""Keys that are pressed and held."""

from pathlib import Path

import pytest

from tests.visualizer.backends.arcade.timelines import a_model, a_timeline
from visualizer.backends.arcade.user_input import PATIENCE_S, PAUSE_S, Keyboard
from visualizer.backends.arcade.window_model import WindowModel


@pytest.fixture
def model(tmp_path: Path) -> WindowModel:
    return a_model(a_timeline(tmp_path))


@pytest.fixture
def keyboard(model: WindowModel) -> Keyboard:
    return Keyboard(model)


def passes(seconds: float, model: WindowModel, keyboard: Keyboard) -> int:
    """Return where the playhead is afterwards."""
    model.tick(seconds)
    keyboard.tick()
    return model.playback.position()


def test_a_key_that_is_held_steps_on_after_a_while(model: WindowModel, keyboard: Keyboard) -> None:
    keyboard.press("RIGHT", with_shift=False)
    assert passes(PATIENCE_S / 2, model, keyboard) == 1
    assert passes(PATIENCE_S, model, keyboard) == 2
    assert passes(PAUSE_S / 2, model, keyboard) == 2
    assert passes(PAUSE_S, model, keyboard) == 3


def test_a_key_that_is_let_go_stops_at_once(model: WindowModel, keyboard: Keyboard) -> None:
    keyboard.press("RIGHT", with_shift=False)
    keyboard.release("LEFT")
    assert passes(2 * PATIENCE_S, model, keyboard) == 2
    keyboard.release("RIGHT")
    assert passes(2 * PATIENCE_S, model, keyboard) == 2


def test_a_switch_is_not_switched_to_and_fro(model: WindowModel, keyboard: Keyboard) -> None:
    keyboard.press("H", with_shift=False)
    passes(2 * PATIENCE_S, model, keyboard)
    assert model.is_help_open


def test_shift_makes_another_action_only_where_there_is_one(
    model: WindowModel, keyboard: Keyboard
) -> None:
    keyboard.press("RIGHT", with_shift=True)
    assert model.playback.time == 1
    keyboard.press("H", with_shift=True)
    assert model.is_help_open
