"""What lies over everything: the help, and the turn on the playhead."""

from pathlib import Path

import pytest

from tests.visualizer.backends.arcade.timelines import a_model, a_timeline
from tests.visualizer.drawing.listed import ListedDrawing
from visualizer.backends.arcade.actions import ACTIONS
from visualizer.backends.arcade.controls import MOUSE_HELP, draw_help
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.layout import MIN_SIZE, USUAL
from visualizer.backends.arcade.timeline import draw_playhead
from visualizer.theme import ACCENT, ON_ACCENT, PANEL


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


def a_frame(folder: Path, size: tuple[int, int], turn: int = 20) -> WindowFrame:
    frame = WindowFrame(a_model(a_timeline(folder)), *size, 1.0)
    frame.model.playback.seek_turn(turn)
    return frame


@pytest.mark.parametrize("size", [MIN_SIZE, (1_000, 900), USUAL, (1_920, 1_080)], ids=str)
def test_no_word_of_the_help_is_cut(folder: Path, size: tuple[int, int]) -> None:
    frame = a_frame(folder, size)
    draws = ListedDrawing(unit=frame.layout.unit)
    draw_help(draws, frame)
    assert {action.says for action in ACTIONS} <= set(draws.texts)
    assert {says for _, says in MOUSE_HELP} <= set(draws.texts)
    edges = [(text.place.x, text.place.right) for text in draws.of("text")]
    panel = max(draws.of("rounded"), key=lambda row: row.place.height).place
    assert min(left for left, _ in edges) >= panel.x
    assert max(right for _, right in edges) <= panel.right
    assert max(text.place.bottom for text in draws.of("text")) <= panel.bottom


@pytest.mark.parametrize("turn", [0, 9, 10, 11, 20, 45])
def test_the_playhead_carries_its_turn_and_cuts_no_number_of_the_axis(
    folder: Path, turn: int
) -> None:
    frame = a_frame(folder, USUAL, turn)
    draws = ListedDrawing(unit=1)
    draw_playhead(draws, frame)
    (text,) = draws.of("text", ON_ACCENT)
    assert text.about == str(turn)
    (pill,) = draws.of("rounded", ACCENT)
    graph = frame.layout.graphs[0]
    assert pill.place.x < text.place.x < text.place.right < pill.place.right <= graph.right + 5
    (line,) = draws.of("rect", ACCENT)
    assert line.place.y >= pill.place.bottom - 1
    hidden = draws.of("rect", PANEL)
    assert all(abs(row.place.middle_x - pill.place.middle_x) < 60 for row in hidden)
    assert bool(hidden) == any(0 <= turn - named <= 1 for named in range(5, 46, 5))
