"""Watching, without a window."""

from pathlib import Path

import pytest

from engine.bot_output import Cross
from engine.replays.writing import NotesAside
from tests.visualizer.backends.arcade.timelines import Growing, a_model, a_timeline
from visualizer.backends.arcade.window_model import Target, WindowModel
from visualizer.model.motion import SIGN_S, STEP_S
from visualizer.scene import Mark, middle_of_thing

FRAME_S = 1 / 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture
def model(folder: Path) -> WindowModel:
    return a_model(a_timeline(folder))


def at(model: WindowModel, turn: float) -> WindowModel:
    model.playback.seek_turn(turn)
    model.tick(FRAME_S)
    return model


def position_with(model: WindowModel, mark: Mark) -> int:
    """The first position after a step with such a sign."""
    timeline = model.views[0].timeline
    for position in range(1, timeline.steps):
        model.playback.seek(position)
        model.tick(FRAME_S)
        if any(timed.sign.mark is mark for timed in model.views[0].signs):
            return position
    raise AssertionError(mark)


def test_time_moves_the_playhead_and_the_board_follows(model: WindowModel) -> None:
    model.playback.is_playing = True
    for _ in range(60):
        model.tick(FRAME_S)
    assert model.playback.time == pytest.approx(4)
    assert model.views[0].cursor.state.turn == 4


def test_the_uppermost_thing_is_found_where_it_is_drawn(model: WindowModel) -> None:
    at(model, 10)
    things = model.views[0].cursor.things
    assert things
    for thing_id, thing in things.items():
        assert model.thing_at(0, thing.x, thing.y) == Target(0, thing_id)


def test_between_things_there_is_nothing(model: WindowModel) -> None:
    assert model.thing_at(0, -0.5, -0.5) is None


@pytest.mark.parametrize("mark", [Mark.STRIKE, Mark.BIRTH, Mark.JOIN, Mark.DEATH, Mark.FAULT])
def test_a_step_leaves_its_signs_where_it_happened(model: WindowModel, mark: Mark) -> None:
    position_with(model, mark)
    extent = model.views[0].timeline.scene.extent
    assert mark in {timed.sign.mark for timed in model.views[0].signs}
    for timed in model.views[0].signs:
        x, y = timed.sign.at
        assert extent.left <= x <= extent.right
        assert extent.top <= y <= extent.bottom


def test_signs_of_the_last_step_stay_while_nothing_is_played(model: WindowModel) -> None:
    position_with(model, Mark.STRIKE)
    model.tick(10 * SIGN_S)
    assert model.views[0].signs


def test_begun_at_a_turn_nothing_before_it_is_shown_as_if_it_had_just_happened(
    folder: Path,
) -> None:
    model = a_model(a_timeline(folder))
    model.playback.is_playing = True
    model.begin_at(12)
    model.tick(FRAME_S)
    steps = model.playback.position() - model.views[0].timeline.turn_end(12)
    shown = [timed.sign.at for timed in model.views[0].signs]
    standing = a_model(a_timeline(folder))
    standing.playback.pause()
    expected = []
    for step in range(steps + 1):
        standing.playback.seek(standing.views[0].timeline.turn_end(12) + step)
        standing.tick(FRAME_S)
        expected += [timed.sign.at for timed in standing.views[0].signs]
    assert shown == expected


def test_a_match_that_stops_keeps_the_signs_of_its_last_step_alone(model: WindowModel) -> None:
    model.playback.is_playing = True
    model.begin_at(4)
    model.tick(0.4)  # several turns at once
    model.playback.pause()
    model.tick(FRAME_S)
    signs = list(model.views[0].signs)
    position = model.playback.position()
    model.playback.seek(position - 1)
    model.tick(FRAME_S)
    model.playback.seek(position)
    model.tick(FRAME_S)
    assert [timed.sign.at for timed in signs] == [timed.sign.at for timed in model.views[0].signs]


def test_signs_fade_while_the_match_goes_on(model: WindowModel) -> None:
    position_with(model, Mark.STRIKE)
    old = model.views[0].signs[0]
    model.playback.is_playing = True
    model.tick(FRAME_S)
    model.tick(2 * SIGN_S)
    assert old not in model.views[0].signs


def test_a_piece_glides_from_where_it_was_and_arrives(model: WindowModel) -> None:
    view = model.views[0]
    model.playback.is_playing = True
    model.begin_at(10)
    while not view.moving.places:
        model.tick(FRAME_S / 4)
    thing_id = next(iter(view.moving.places))
    assert view.place(thing_id) != middle_of_thing(view.cursor.things[thing_id])
    model.playback.pause()
    at(model, 11)
    assert view.place(thing_id) == middle_of_thing(view.cursor.things[thing_id])


def test_a_step_that_is_asked_for_by_itself_is_seen_under_way_and_lands(model: WindowModel) -> None:
    view = at(model, 10).views[0]
    while not view.moving.places:
        model.tick(STEP_S)
        model.playback.step(1)
        model.tick(FRAME_S)
        model.tick(STEP_S / 2)
    model.tick(STEP_S)
    assert view.moving.places == {}


def test_after_a_jump_nothing_glides(model: WindowModel) -> None:
    at(model, 30)
    assert model.views[0].moving.places == {}


def test_two_films_move_by_the_same_turns(folder: Path) -> None:
    model = at(a_model(a_timeline(folder), a_timeline(folder, seed=2)), 17)
    assert [view.cursor.state.turn for view in model.views] == [17, 17]


def test_a_recorded_match_has_its_last_turn_at_the_end_of_the_axis(model: WindowModel) -> None:
    assert model.end == model.views[0].timeline.replay.last_turn


def test_the_playhead_waits_at_the_end_of_what_is_played_by_now(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    model = a_model(growing.timeline)
    model.playback.is_playing = True
    model.tick(100)
    known = model.playback.end
    model.tick(100)
    assert model.playback.time == known
    assert model.playback.is_playing
    assert model.is_live

    growing.write(20)
    model.tick(0)
    assert model.playback.end > known
    model.tick(100)
    assert model.playback.time == model.playback.end


def test_the_axis_of_a_live_match_ends_where_the_match_may(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    model = a_model(growing.timeline)
    model.tick(0)
    assert model.end == 45


def test_at_the_end_of_a_live_match_it_is_no_longer_live(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    model = a_model(growing.timeline)
    growing.end()
    for _ in range(100):
        model.tick(0)
    assert not model.is_live


def test_a_match_that_begins_anew_is_watched_from_its_beginning(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    growing.write(60)
    model = at(a_model(growing.timeline), 1)
    model.select(Target(0, 1))
    growing.begin_anew(tmp_path)
    for _ in range(20):
        model.tick(FRAME_S)
    timeline = growing.timeline
    assert model.views[0].cursor.timeline is timeline
    assert model.views[0].cursor.position <= timeline.steps
    assert model.playback.time <= model.playback.end


def test_a_match_that_is_played_again_is_shown_at_the_same_turn(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    growing.end()
    model = at(a_model(growing.timeline), 0)
    for _ in range(100):
        model.tick(0)
    assert not model.is_live
    model.playback.pause()
    at(model, 12)
    growing.begin_anew(tmp_path)
    model.tick(FRAME_S)
    assert model.playback.time < 12
    growing.end()
    for _ in range(100):
        model.tick(FRAME_S)
    assert growing.timeline.replay.beginnings == 2
    assert (model.playback.time, model.views[0].cursor.step.turn) == (12, 12)


def test_drawings_of_bots_are_switched_off_by_number_or_all_at_once(folder: Path) -> None:
    model = a_model(a_timeline(folder))
    notes = model.views[0].timeline.notes
    notes.take(NotesAside(2, 2, 1, (Cross(1, 1, "#ff0000", "b"), Cross(1, 1, key="a"))))
    notes.take(NotesAside(3, 1, 1, (Cross(1, 1, "#00ff00"),)))
    groups = [(group, name) for group, name, _ in model.groups()]
    assert groups == [
        ((1, ""), "player_one: drawings"),
        ((2, "a"), "player_two: a"),
        ((2, "b"), "player_two: b"),
    ]
    model.toggle_group(2)
    model.toggle_group(9)
    assert [drawn.key for drawn in notes.at(2, model.hidden_groups)] == ["b"]
    model.toggle_drawings()
    assert model.hidden_groups == set()
    model.toggle_drawings()
    assert notes.at(2, model.hidden_groups) == notes.at(3, model.hidden_groups) == []
