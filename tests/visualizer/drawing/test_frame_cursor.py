"""A replay seen frame by frame."""

import pytest

from tests.engine.recorded import record
from tests.visualizer.timelines import read_timeline
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.model.motion import STILL
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Mark, middle_of_thing


@pytest.fixture(scope="module")
def timeline(tmp_path_factory: pytest.TempPathFactory) -> ReplayTimeline:
    """45 turns with kills, splits, merges and faults."""
    path = tmp_path_factory.mktemp("frame") / "replay.jsonl.gz"
    record(path)
    return read_timeline(path)


def test_the_signs_of_a_turn_are_those_of_all_its_steps(timeline: ReplayTimeline) -> None:
    whole, stepping, seen = FrameCursor(timeline), FrameCursor(timeline), []
    whole.go_to(timeline.turn_start(20))
    whole.go_to(timeline.turn_end(20))
    for position in range(timeline.turn_start(20) + 1, timeline.turn_end(20) + 1):
        stepping.go_to(position)
        seen.append(stepping.signs)
    assert whole.signs == seen[-1] != []
    assert [len(signs) for signs in seen] == sorted(len(signs) for signs in seen)


def test_a_frame_is_the_same_however_one_came_there(timeline: ReplayTimeline) -> None:
    walking, jumping = FrameCursor(timeline), FrameCursor(timeline)
    for turn in range(1, 31):
        walking.go_to(timeline.turn_end(turn))
    jumping.go_to(timeline.steps)
    jumping.go_to(timeline.turn_end(30))
    assert jumping.things == walking.things
    assert jumping.signs == walking.signs
    assert (jumping.turn, jumping.position) == (walking.turn, walking.position)
    assert (jumping.turn, timeline.stage_at(jumping.position)) == (30, "slimes")


def test_where_the_playhead_stays_nothing_happens_again(timeline: ReplayTimeline) -> None:
    frame = FrameCursor(timeline)
    frame.go_to(timeline.turn_end(20))
    signs = frame.signs
    frame.go_to(timeline.turn_end(20))
    assert frame.signs == signs != []


def test_played_a_turn_begins_and_ends_as_it_stands(timeline: ReplayTimeline) -> None:
    playing, standing = FrameCursor(timeline), FrameCursor(timeline)
    for turn in range(1, 30):
        for fraction in (0.0, 0.3, 0.6, 1.0):
            playing.go_to_time(turn - 1 + fraction)
        standing.go_to(timeline.turn_end(turn))
        assert (playing.moving, playing.things) == (STILL, standing.things)
        assert playing.signs == standing.signs


def test_the_signs_of_a_turn_fade_in_the_next_one(timeline: ReplayTimeline) -> None:
    frame = FrameCursor(timeline)
    opacities = []
    for tenths in range(11):
        frame.go_to_time(20 + tenths / 10)
        opacities.append({sign.opacity for sign in frame.signs})
    assert opacities[0] == {1.0}
    assert [min(faded) for faded in opacities[1:4]] == [0.8, 0.6, 0.4]
    assert opacities[10] == {1.0}


def test_before_the_first_turn_there_is_no_stage(timeline: ReplayTimeline) -> None:
    frame = FrameCursor(timeline)
    frame.go_to(0)
    assert (frame.turn, timeline.stage_at(frame.position), frame.signs) == (0, "", [])


def test_a_sign_about_one_thing_goes_along_with_it(timeline: ReplayTimeline) -> None:
    frame = FrameCursor(timeline)
    signs = []
    for turn in range(1, timeline.last_turn + 1):
        frame.go_to(timeline.turn_end(turn))
        signs += [
            (sign.at, middle_of_thing(frame.things[sign.piece_id]))
            for sign in frame.signs
            if sign.mark is Mark.RISE and sign.piece_id in frame.things
        ]
    assert signs
    assert all(place == now for place, now in signs)
