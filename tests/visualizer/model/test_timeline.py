"""A replay: the steps of a match, read at once or as they come."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Stage
from engine.replays.decisions import Decision
from engine.replays.live import LiveReplay
from engine.replays.reading import Replay
from engine.replays.writing import CpuAside
from tests.engine.recorded import read_lines, write
from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from visualizer.model.cursor import Cursor
from visualizer.model.timeline import LEAD, ReplayTimeline, TimelineMark

anew = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])


def all_known(timeline: ReplayTimeline) -> Any:
    """All that a replay knows."""
    turns = range(timeline.last_turn + 1)
    return (
        [list(timeline.entries(step)) for step in range(timeline.steps)],
        [timeline.turn_at(position) for position in range(timeline.steps + 1)],
        [(timeline.turn_start(turn), timeline.turn_end(turn)) for turn in turns],
        timeline.marks,
        timeline.scores,
        timeline.thresholds,
        timeline.removed_at,
        timeline.fault_words,
        [
            (timeline.forfeited_turns(team, turn), timeline.cpu_us(team, turn))
            for turn in turns
            for team in range(1, timeline.scene.teams + 1)
        ],
        timeline.is_over,
    )


def feed(live: Path, content: bytes, *, anew: bool = False) -> None:
    with live.open("wb" if anew else "ab") as file:
        file.write(content)


@anew
@given(cuts=st.lists(st.floats(0, 1), max_size=20), seed=st.integers(0, 99))
def test_what_comes_bit_by_bit_is_the_same_as_read_at_once(
    race: None, tmp_path: Path, cuts: list[float], seed: int
) -> None:
    live, whole = tmp_path / "match.jsonl", tmp_path / "whole.jsonl"
    whole.unlink(missing_ok=True)
    toy.record_race(None, *toy.random_scripts(3, seed), live=whole)
    content = whole.read_bytes()
    at_once = ReplayTimeline(LiveReplay(whole))
    at_once.read_new_entries()
    first = content.index(b"\n") + 1
    places = sorted(first + int(cut * (len(content) - first)) for cut in cuts)
    feed(live, content[:first], anew=True)
    timeline = ReplayTimeline(LiveReplay(live))
    cursor = Cursor(timeline)
    for start, stop in zip([first, *places], [*places, len(content)], strict=True):
        feed(live, content[start:stop])
        timeline.read_new_entries()
        cursor.seek(timeline.steps)
        assert cursor.position == timeline.steps
    assert all_known(timeline) == all_known(at_once)
    fresh = Cursor(at_once)
    fresh.seek(at_once.steps)
    assert (cursor.things, cursor.step) == (fresh.things, fresh.step)


def test_a_film_is_read_in_slices_of_time(race_timeline: MakeTimeline) -> None:
    whole = race_timeline()
    timeline, slices = ReplayTimeline(whole.replay), 0
    while not timeline.is_read:
        assert timeline.read_new_entries(0)  # a line at least
        slices += 1
    assert slices > 5
    assert all_known(timeline) == all_known(whole)
    assert not timeline.read_new_entries()


def test_a_match_that_begins_anew_is_another_film(race: None, tmp_path: Path) -> None:
    live, alone = tmp_path / "match.jsonl", tmp_path / "alone.jsonl"
    toy.record_race(None, ["plant"] * 12, ["run"] * 12, live=live)
    half = live.read_bytes().splitlines(keepends=True)[:6]
    live.write_bytes(b"".join(half))
    timeline = ReplayTimeline(LiveReplay(live))
    timeline.read_new_entries()
    assert (timeline.steps > 0, timeline.is_over) == (True, False)
    toy.record_race(None, *toy.EVENTFUL[:2], live=live)
    toy.record_race(None, *toy.EVENTFUL[:2], live=alone)
    timeline.read_new_entries()
    expected = ReplayTimeline(LiveReplay(alone))
    expected.read_new_entries()
    assert all_known(timeline) == all_known(expected)


def test_a_race_step_by_step(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    assert (timeline.steps, timeline.last_turn) == (12, 12)
    assert [timeline.turn_at(position) for position in (0, 1, 2, 12)] == [0, 1, 2, 12]
    assert (timeline.turn_start(2), timeline.turn_end(2)) == (1, 2)
    assert timeline.time_at(0) == 0.0
    assert timeline.time_at(3) == 3.0
    stage, decision, *events = timeline.entries(0)
    assert stage == Stage(1, "race")
    assert isinstance(decision, Decision)
    assert [type(event).__name__ for event in events] == ["Planted", "Planted", "Ran"]


def test_marks_are_what_scenes_put_on_the_timeline_and_changes_of_the_lead(
    race_timeline: MakeTimeline,
) -> None:
    assert race_timeline().marks == [
        TimelineMark(1, "flags"),
        TimelineMark(1, "flags"),
        TimelineMark(2, "takes"),
        TimelineMark(2, "faults"),
        TimelineMark(2, "faults"),
        TimelineMark(2, LEAD),
        TimelineMark(3, "takes"),
        TimelineMark(3, "flags"),
        TimelineMark(5, "drops"),
        TimelineMark(7, "takes"),
    ]


def test_who_leads_first_changes_no_lead(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline(["run"] * 4, ["plant"] * 4, last_turn=4)
    assert LEAD not in {mark.what for mark in timeline.marks}


def test_things_that_die_or_go_into_others_are_gone_from_then_on(
    race_timeline: MakeTimeline,
) -> None:
    assert race_timeline().removed_at == {4: 2, 5: 3, 2: 5, 6: 7}


def test_scores_are_those_at_the_ends_of_turns(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    for turn, scores in enumerate(timeline.scores):
        assert timeline.replay.state_at(turn).scores == scores or turn == 0
    assert len(timeline.scores) == timeline.last_turn + 1
    assert timeline.replay.outcome is not None
    assert timeline.scores[-1] == timeline.replay.outcome.scores


def test_lost_rounds_are_counted_and_explained(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    assert [timeline.forfeited_turns(2, turn) for turn in (1, 2, 12)] == [0, 1, 1]
    assert [timeline.forfeited_turns(team, 12) for team in (1, 2, 3)] == [0, 1, 1]
    assert timeline.fault_words == {(2, 2, 2): "words of timeout", (2, 3, 3): "words of exception"}


def test_cpu_time_is_summed_up(race: None, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    toy.record_race(None, *toy.EVENTFUL[:2], live=live)
    lines = live.read_bytes().splitlines()
    for turn, us in ((1, (5, 7)), (3, (10, 0))):
        lines.insert(-1, msgspec.json.encode(CpuAside(turn, us)))
    live.write_bytes(b"".join(line + b"\n" for line in lines))
    timeline = ReplayTimeline(LiveReplay(live))
    timeline.read_new_entries()
    assert [timeline.cpu_us(1, turn) for turn in (0, 1, 2, 3, 9)] == [0, 5, 10, 15, 15]
    assert timeline.cpu_us(2, 9) == 7


def test_a_file_that_was_cut_off_is_over_where_it_ends(
    race_timeline: MakeTimeline, tmp_path: Path
) -> None:
    whole = race_timeline()
    lines = read_lines(whole.replay.path)
    timeline = ReplayTimeline(Replay(write(tmp_path / "cut.jsonl.gz", lines[: len(lines) // 2])))
    before, _, after = timeline.is_over, timeline.read_new_entries(), timeline.is_over
    assert (before, after) == (False, True)
    assert 0 < timeline.last_turn < whole.last_turn
    assert len(timeline.scores) == timeline.last_turn + 1


@pytest.mark.parametrize("position", [0, 1, 7, 12])
def test_a_kept_state_is_the_callers_own(race_timeline: MakeTimeline, position: int) -> None:
    timeline = race_timeline()
    at, state = timeline.state_before(position)
    assert at <= position
    state.runners.clear()
    assert timeline.state_before(position)[1].runners


def test_the_stage_of_a_place_is_the_one_that_goes_on_there(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    stages: list[str] = []
    for position in range(timeline.steps + 1):
        cursor = Cursor(timeline)
        cursor.jump(position)
        stages.append(cursor.step.stage or (stages[-1] if stages else ""))
    assert [timeline.stage_at(position) for position in range(timeline.steps + 1)] == stages
