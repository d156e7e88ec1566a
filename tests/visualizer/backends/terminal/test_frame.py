"""Whole pictures, as text and as values."""

from itertools import pairwise
from pathlib import Path

import pytest

from engine.bot_output import Cross, LogLine, Words
from engine.replays.live import LiveReplay
from engine.replays.reading import Replay
from engine.replays.writing import NotesAside
from tests.engine.recorded import record
from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from visualizer.backends.terminal.canvas import Canvas
from visualizer.backends.terminal.colors import Abilities, Depth
from visualizer.backends.terminal.frame import Frames, event_letter
from visualizer.backends.terminal.layout import SMALLEST
from visualizer.backends.terminal.letters_board import LIT, WHITE
from visualizer.backends.terminal.terminal_model import (
    ACTIONS,
    ReplayView,
    TerminalModel,
    handle_key,
)
from visualizer.backends.terminal.themes import make_symbol
from visualizer.drawing.sprites import Sprites
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import LEAD, ReplayTimeline
from visualizer.scene import Sprite
from visualizer.theme import LINES, PANEL, QUIET, legible, mix_colors

PLAIN = Abilities(Depth.NONE)


@pytest.fixture
def model(race_timeline: MakeTimeline) -> TerminalModel:
    """Make the model of a race, standing still at its start."""
    model = TerminalModel(
        [ReplayView(race_timeline(names=["player_one", "evil\x1b[2J\x07"]), Sprites(toy.NAME))]
    )
    model.playback.pause()
    model.tick(0, 1)
    return model


def press(model: TerminalModel, *keys: str) -> None:
    for key in keys:
        handle_key(model, key)
    model.tick(0, 1)


def draw_frame(model: TerminalModel, width: int = 80, height: int = 24) -> str:
    return Frames(model, PLAIN).draw(width, height).text()


def test_a_picture_has_all_there_is_to_know(model: TerminalModel) -> None:
    press(model, *["right"] * 3)
    assert draw_frame(model).splitlines()[0] == " Race  seed 7" + " " * 44 + "turn 3 of 12   ‖ 1x"
    text = " ".join(draw_frame(model, 110, 50).split())
    for words in (
        *("1 player_one", "10 ", "flags taken", "CPU 0 µs", "forfeited 1"),
        "now runner 1: push runner 2: take runner 3: plant pushed runner 2 (2 left)",
        *("3 ○ runner 3 planted flag 6", "the race", "Turn 3: level at 10", "Space play"),
    ):
        assert words in text


def test_a_strangers_name_stays_text(model: TerminalModel) -> None:
    text = draw_frame(model, 120, 40)
    assert "2 evil [2J" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), SMALLEST, (41, 90), (300, 16)])
def test_a_picture_is_as_large_as_the_terminal(model: TerminalModel, size: tuple[int, int]) -> None:
    canvas = Frames(model, Abilities()).draw(*size)
    assert (canvas.width, canvas.height) == size
    assert [len(row) for row in canvas.rows] == [size[0]] * size[1]


@pytest.mark.parametrize("size", [(39, 24), (80, 15), (1, 1), (5, 2)])
def test_a_terminal_that_is_too_small_is_told_what_is_needed(
    model: TerminalModel, size: tuple[int, int]
) -> None:
    text = draw_frame(model, *size)
    rows = text.split("\n")
    assert len(rows) <= size[1]
    assert max(map(len, rows)) <= size[0]
    assert ("40x16 needed, this is {}x{}".format(*size) in text) == (size[0] > 20)


def test_every_key_of_the_help_does_something_and_is_told(model: TerminalModel) -> None:
    press(model, "h")
    text = draw_frame(model)
    for action in ACTIONS:
        assert action.in_words in text
        assert action.says in text
    assert "○ flags" in text
    assert "◆ lead changes" in text
    press(model, "escape")
    assert "one round back" not in draw_frame(model)


def test_keys_move_the_playhead(model: TerminalModel) -> None:
    playback = model.playback
    press(model, "right", "right", "left")
    assert model.views[0].cursor.position == 1
    press(model, "page down", ".", "shift right", "page up", ",", "shift left")
    assert playback.time == 1
    press(model, "end")
    assert playback.is_at_end
    press(model, "home")
    assert (playback.time, playback.is_playing) == (0, True)
    press(model, "space")
    assert not playback.is_playing
    moments = find_key_moments(playback.timelines[0].scores)
    press(model, "n", "down", "N")
    assert playback.time == moments[2]
    press(model, "p", "up")
    assert playback.time == moments[0]
    press(model, "+", "=", "-", "_", "m")
    assert playback.is_fastest
    assert "max" in draw_frame(model).splitlines()[0]
    press(model, "x", "é")
    assert not model.is_over
    press(model, "q")
    assert model.is_over


def test_while_it_plays_no_step_is_marked(model: TerminalModel) -> None:
    press(model, "right")
    view = model.views[0]
    pieces = [thing for thing in view.cursor.things.values() if isinstance(thing, Sprite)]
    looks = [make_symbol(view.timeline.scene, piece, view.colors) for piece in pieces]
    lit = {mix_colors(look.color, WHITE, LIT) for look in looks}

    def marked(canvas: Canvas) -> bool:
        return any(
            cell_style.ground in lit and letter in "Rr"
            for row in canvas.rows
            for letter, cell_style in row
            if letter
        )

    frames = Frames(model, Abilities())
    assert marked(frames.draw(80, 24))
    model.playback.is_playing = True
    assert not marked(frames.draw(80, 24))
    assert "now" not in frames.draw(80, 24).text()


def test_a_change_of_the_lead_is_told(model: TerminalModel) -> None:
    press(model, "right", "right")
    assert "◆ player_one takes the lead" in draw_frame(model)
    assert LEAD in model.views[0].timeline.mark_kinds


def test_a_turn_can_be_wished_for_before_it_is_known(race: None, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    toy.record_race(None, *toy.EVENTFUL, live=live)
    lines = live.read_bytes().splitlines(keepends=True)
    live.write_bytes(b"".join(lines[:5]))
    model = TerminalModel([ReplayView(ReplayTimeline(LiveReplay(live)), Sprites(toy.NAME))], turn=9)
    model.playback.pause()
    model.tick(0, 1)
    assert model.playback.time < 9
    assert " LIVE " in draw_frame(model)
    with live.open("ab") as file:
        file.write(b"".join(lines[5:]))
    model.tick(0, 1)
    assert model.playback.time == 9
    assert " LIVE " not in draw_frame(model)
    press(model, "home", "space")
    assert model.playback.time == 0


def test_a_match_that_begins_anew_is_shown_anew(race: None, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    toy.record_race(None, *toy.EVENTFUL, live=live, last_turn=5)
    half = live.read_bytes().splitlines(keepends=True)
    live.write_bytes(b"".join(half[: len(half) - 1]))
    model = TerminalModel([ReplayView(ReplayTimeline(LiveReplay(live)), Sprites(toy.NAME))])
    frames = Frames(model, PLAIN)
    model.tick(0, 1)
    press(model, "end")
    frames.draw(80, 24)
    toy.record_race(None, ["run"] * 9, ["run"] * 9, ["run"] * 9, live=live, last_turn=9)
    model.tick(0, 1)
    assert model.playback.time == 0
    assert "turn 0 of 9" in frames.draw(80, 24).text()
    press(model, "end")
    assert "turn 9 of 9" in frames.draw(80, 24).text()


def test_two_films_are_drawn_side_by_side(race_timeline: MakeTimeline) -> None:
    timelines = [race_timeline(), race_timeline(["run"] * 5, ["plant"] * 5, last_turn=5)]
    model = TerminalModel([ReplayView(timeline, Sprites(toy.NAME)) for timeline in timelines])
    model.playback.pause()
    press(model, "end")
    text = draw_frame(model, 160, 40)
    assert "turn 12 of 12" in text
    assert "seed 7 / 7" in text
    assert text.count("the race") == 2


def test_the_timeline_has_a_letter_where_something_happened(model: TerminalModel) -> None:
    lines = draw_frame(model).splitlines()
    assert lines[-4].strip().startswith("●")
    assert set(lines[-3].split()) == {"○", "●", "\u00d7", "◆"}
    assert len(lines[-3]) <= 80


def test_letters_of_events_are_explained_and_each_has_its_own(model: TerminalModel) -> None:
    legend = draw_frame(model).splitlines()[-2]
    for what, sign in model.views[0].timeline.mark_kinds.items():
        assert f" {event_letter(sign)[0]} {what}" in legend


def test_a_crowded_match_of_slimes_is_drawn_in_every_turn(tmp_path: Path) -> None:
    record(tmp_path / "replay.jsonl.gz")
    model = TerminalModel(
        [ReplayView(ReplayTimeline(Replay(tmp_path / "replay.jsonl.gz")), Sprites("slime_mind"))]
    )
    model.playback.pause()
    model.tick(0, 1)
    frames = Frames(model, Abilities())
    for turn in range(int(model.playback.end) + 1):
        model.playback.seek_turn(turn)
        model.tick(0, 1)
        assert f"turn {turn} of" in frames.draw(80, 24).text()


def test_the_curves_of_all_teams_share_a_place_and_end_with_their_numbers(
    model: TerminalModel,
) -> None:
    press(model, "end")
    canvas = Frames(model, Abilities()).draw(110, 50)
    ends = {
        (letter, cell_style.color)
        for row in canvas.rows
        for (before, _), (letter, cell_style) in pairwise(row)
        if 0x2800 < ord(before) < 0x2900 and letter.isdigit()
    }
    scene = model.views[0].timeline.scene
    assert ends <= {(f"{n}", legible(scene.team_color(n), PANEL, LINES)) for n in (1, 2, 3)}
    assert ends
    quiet = [letter for row in canvas.rows for letter, look in row if look.color == QUIET]
    assert any(0x2800 < ord(letter) < 0x2900 for letter in quiet), "what it takes to win"


def test_what_bots_log_and_write_stands_beside_their_orders_unless_switched_off(
    model: TerminalModel,
) -> None:
    (view,) = model.views
    press(model, *["right"] * 3)
    ordered = view.cursor.step.ordered[0]
    parts = (LogLine("info", "hungry"), Cross(1, 1), Words(1, 1, "go"))
    view.timeline.notes.take(NotesAside(3, ordered.team, ordered.piece_id, parts))
    assert "runner 1: push (hungry; go)" in draw_frame(model, 110, 50)
    press(model, "d")
    assert "runner 1: push  runner 2" in draw_frame(model, 110, 50)


@pytest.mark.parametrize("size", [SMALLEST, (80, 24), (120, 40)])
def test_the_help_is_whole_in_a_terminal_of_any_size(
    smac_timeline: ReplayTimeline, size: tuple[int, int]
) -> None:
    model = TerminalModel([ReplayView(smac_timeline, Sprites("smac"))])
    model.is_help_open = True
    lines = Frames(model, Abilities()).draw(*size).text().splitlines()
    for action in ACTIONS:
        first, _, _ = action.in_words.partition("  ")
        assert any(f" {first} " in line and action.says in line for line in lines)
    if size != SMALLEST:
        kinds = [kind for *_, kind in Frames(model, Abilities())._kinds]
        assert any(all(kind in line for kind in kinds) for line in lines)
