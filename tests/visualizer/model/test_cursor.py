"""A cursor shows the same, however it came to its place."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.replays.decisions import Decision
from tests.engine.recorded import record
from tests.examples import examples
from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from tests.visualizer.timelines import read_timeline
from visualizer.model import cursor as cursor_module
from visualizer.model import timeline as timeline_module
from visualizer.model.cursor import Cursor, Ordered
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Sprite, Thing

positions = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@cache
def a_timeline() -> ReplayTimeline:
    """Make the timeline of a match in which much happens, with states kept often."""
    path = Path(mkdtemp()) / "replay.jsonl.gz"
    record(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline_module, "SNAPSHOT_EVENTS", 100)
        return read_timeline(path)


@cache
def fold() -> list[tuple[dict[int, Thing | None], Any]]:
    """Return what is seen at each position, looked at anew after every step from the start."""
    timeline = a_timeline()
    cursor, seen = Cursor(timeline), []
    while True:
        scene, state = timeline.scene, cursor.state
        full_look = {thing_id: scene.thing(state, thing_id) for thing_id in scene.ids(state)}
        seen.append((full_look, cursor.step))
        if cursor.position == timeline.steps:
            return seen
        cursor.advance()


@settings(max_examples=examples(60))
@given(shares=positions, far=st.sampled_from([5, 40, 400]))
def test_any_way_leads_to_what_folding_from_the_start_shows(shares: list[float], far: int) -> None:
    timeline, expected = a_timeline(), fold()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cursor_module, "MIN_JUMP_STEPS", far)
        cursor = Cursor(timeline)
        for share in shares:
            position = round(share * timeline.steps)
            cursor.seek(position)
            assert cursor.position == position
            assert cursor.things == expected[position][0]
            if position:
                assert cursor.step == expected[position][1]


def test_stepping_keeps_what_is_to_be_seen_up_to_date() -> None:
    timeline = a_timeline()
    cursor = Cursor(timeline)
    for things, _ in fold():
        assert cursor.things == things
        if cursor.position < timeline.steps:
            cursor.advance()


def test_the_last_state_is_the_one_of_the_match() -> None:
    timeline = a_timeline()
    cursor = Cursor(timeline)
    cursor.seek(timeline.steps)
    assert cursor.state == timeline.replay.state_at(timeline.last_turn)


def test_a_seek_beyond_what_is_known_ends_there(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    cursor = Cursor(timeline)
    cursor.seek(10_000)
    assert cursor.position == timeline.steps


def test_two_cursors_of_a_film_do_not_meet(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    one, other = Cursor(timeline), Cursor(timeline)
    one.seek(5)
    assert (other.position, other.state.turn) == (0, 0)
    assert other.things != one.things


def test_a_step_tells_what_was_ordered_and_how_things_looked_before(
    race_timeline: MakeTimeline,
) -> None:
    cursor = Cursor(race_timeline())
    cursor.seek(2)
    step = cursor.step
    assert (step.turn, step.stage) == (2, "race")
    assert step.ordered == [Ordered(1, 1, "take"), Ordered(2, 2, ""), Ordered(3, 3, "")]
    assert {annotation.event_style for annotation in step.annotations} == {
        "took",
        "rose",
        "cheered",
        "lost",
    }
    before, after = step.before[1], cursor.things[1]
    assert isinstance(before, Sprite)
    assert isinstance(after, Sprite)
    assert (before.image, after.image) == ("runner_1:1", "runner_1:2")
    assert step.before[4] is not None
    assert 4 not in cursor.things


def test_a_cursor_of_a_film_not_read_yet_shows_the_first_board_as_soon_as_it_is(
    race_timeline: MakeTimeline,
) -> None:
    timeline = ReplayTimeline(race_timeline().replay)
    cursor = Cursor(timeline)
    assert cursor.things == {}
    timeline.read_new_entries()
    cursor.seek(0)
    assert {1, 2, 3} <= cursor.things.keys()
    cursor.seek(1)
    assert cursor.position == 1


def test_every_step_is_a_decision_or_something_to_be_seen() -> None:
    timeline = a_timeline()
    for number in range(timeline.steps):
        entries = list(timeline.entries(number))
        decides = any(isinstance(entry, Decision) for entry in entries)
        shows = any(
            timeline.scene.dirty_ids(entry) for entry in entries if not isinstance(entry, Decision)
        )
        assert decides or shows or number == timeline.steps - 1


def test_a_toy_game_looks_as_it_is(race_timeline: MakeTimeline) -> None:
    cursor = Cursor(race_timeline())
    cursor.seek(1)
    kinds = {thing_id: thing.kind for thing_id, thing in cursor.things.items()}
    labels = {toy.SCORE_LABELS + team: "taken" for team in (1, 2, 3)}
    assert kinds == {1: "runner", 2: "runner", 3: "runner", 4: "flag", 5: "flag", **labels}
