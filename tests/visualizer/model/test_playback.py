"""The playhead: played, stepped, and sent anywhere; no clock but `advance`."""

from math import inf
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.replays.live import LiveReplay
from tests.engine.recorded import record
from tests.examples import examples
from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from tests.visualizer.timelines import read_timeline
from visualizer.model.playback import MAX_TURNS_PER_CALL, NORMAL, SPEEDS, Playback
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import MOVES, ReplayTimeline
from visualizer.scene import Scene

A_TURN = 1 / Scene.turns_per_s


@pytest.fixture
def slimes(tmp_path: Path) -> ReplayTimeline:
    """Many steps to a turn."""
    record(tmp_path / "replay.jsonl.gz")
    return read_timeline(tmp_path / "replay.jsonl.gz")


@pytest.fixture
def playback(slimes: ReplayTimeline) -> Playback:
    return Playback([slimes])


def test_it_plays_from_the_start_at_normal_speed(playback: Playback) -> None:
    assert (playback.time, playback.position(), playback.speed) == (0.0, 0, 1.0)
    playback.advance(A_TURN)
    assert playback.time == pytest.approx(1.0)
    playback.advance(A_TURN / 2)
    assert playback.time == pytest.approx(1.5)


def test_the_steps_of_a_turn_land_one_after_another_before_its_last_third(
    playback: Playback, slimes: ReplayTimeline
) -> None:
    begin, end = slimes.turn_start(3), slimes.turn_end(3)
    times = []
    for position in range(begin, end + 1):
        playback.seek(position)
        times.append(playback.time)
        assert playback.position() == position
    assert times == sorted(set(times))
    assert (times[0], times[-1]) == (2, 3)
    assert times[-2] < 2 + MOVES
    playback.seek_turn(2 + MOVES)
    assert playback.position() == end


def test_the_end_of_a_turn_is_before_the_first_step_of_the_next(
    playback: Playback, slimes: ReplayTimeline
) -> None:
    playback.seek_turn(5)
    assert playback.position() == slimes.turn_end(5) == slimes.turn_start(6)


def test_pause_holds_it(playback: Playback) -> None:
    playback.play_or_pause()
    playback.advance(10)
    assert (playback.time, playback.is_playing) == (0.0, False)
    playback.play_or_pause()
    playback.advance(A_TURN)
    assert playback.time > 0


def test_it_stops_at_the_end_and_playing_on_begins_anew(playback: Playback) -> None:
    playback.seek_turn(10_000)
    assert playback.is_at_end
    playback.advance(1)
    assert not playback.is_playing
    playback.play_or_pause()
    assert (playback.time, playback.is_playing) == (0.0, True)


def test_speeds_go_from_a_quarter_to_as_fast_as_possible(playback: Playback) -> None:
    speeds = [playback.speed]
    for _ in range(20):
        playback.speed_up()
        speeds.append(playback.speed)
    assert tuple(dict.fromkeys(speeds)) == SPEEDS[NORMAL:]
    for _ in range(20):
        playback.slow_down()
    assert playback.speed == SPEEDS[0] == 0.25
    playback.advance(A_TURN)
    assert playback.time == pytest.approx(0.25)


def test_as_fast_as_possible_is_so_many_turns_a_picture(playback: Playback) -> None:
    playback.toggle_fastest()
    assert playback.is_fastest
    assert playback.speed == inf
    playback.advance(0.001)
    assert playback.time == MAX_TURNS_PER_CALL
    playback.toggle_fastest()
    assert playback.speed == 1.0


def test_steps_go_on_and_back_and_stay(playback: Playback) -> None:
    playback.step(3)
    assert (playback.position(), playback.is_playing) == (3, False)
    playback.step(-1)
    assert playback.position() == 2
    playback.step(-10)
    assert playback.position() == 0


def test_turns_go_to_ends_of_turns(playback: Playback) -> None:
    playback.seek_turn(4.5)
    playback.step_turns(1)
    assert playback.time == 5
    playback.step_turns(1)
    assert playback.time == 6
    playback.step_turns(-1)
    assert playback.time == 5
    playback.seek_turn(4.5)
    playback.step_turns(-1)
    assert (playback.time, playback.is_playing) == (4, False)
    playback.seek_turn(0)
    playback.step_turns(-1)
    assert playback.time == 0


def test_key_moments_are_visited_in_their_order_there_and_back(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    moments = find_key_moments(timeline.scores)
    assert len(moments) > 2
    playback = Playback([timeline])
    there, back = [], []
    for _ in range(len(moments) + 1):
        playback.go_to_mark()
        there.append(playback.time)
    assert there == [*moments, timeline.last_turn]
    for _ in range(len(moments) + 1):
        playback.go_to_mark(-1)
        back.append(playback.time)
    assert back == [*moments[::-1], 0]


@settings(max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(-5, 700))
def test_every_position_can_be_sought(slimes: ReplayTimeline, position: int) -> None:
    playback = Playback([slimes])
    playback.seek(position)
    assert playback.position() == min(max(0, position), slimes.steps)


def test_at_the_end_of_what_is_known_it_waits_for_more(race: None, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    toy.record_race(None, *toy.EVENTFUL, live=live)
    lines = live.read_bytes().splitlines(keepends=True)
    live.write_bytes(b"".join(lines[:6]))
    timeline = ReplayTimeline(LiveReplay(live))
    timeline.read_new_entries()
    playback = Playback([timeline])
    for _ in range(100):
        playback.advance(1)
    waited_at = playback.time
    assert (playback.is_playing, waited_at) == (True, timeline.last_turn)
    with live.open("ab") as file:
        file.write(b"".join(lines[6:]))
    timeline.read_new_entries()
    playback.advance(A_TURN)
    assert playback.time == pytest.approx(waited_at + 1)


def test_films_that_are_tied_are_at_the_same_turn(race_timeline: MakeTimeline) -> None:
    short = race_timeline(["run"] * 3, ["run"] * 3, last_turn=3)
    long = race_timeline(["run"] * 9, ["run"] * 9, last_turn=9)
    playback = Playback([short, long])
    assert playback.end == 9
    playback.seek_turn(2)
    assert (playback.position(0), playback.position(1)) == (2, 2)
    playback.seek_turn(8)
    assert (playback.position(0), playback.position(1)) == (3, 8)
    playback.advance(10)
    assert playback.is_at_end


def test_moments_of_all_tied_films_are_visited(race_timeline: MakeTimeline) -> None:
    one = race_timeline(["run", "plant"], ["run"] * 4, last_turn=4)
    other = race_timeline(["run"] * 3 + ["plant"], ["run"] * 4, last_turn=4)
    times = {turn for film in (one, other) for turn in find_key_moments(film.scores)}
    playback, visited = Playback([one, other]), set[float]()
    for _ in range(6):
        playback.go_to_mark()
        visited.add(playback.time)
    assert visited == times | {3, 4}, "and the end of each"


def test_restart_plays_from_the_beginning(playback: Playback) -> None:
    playback.seek_turn(7)
    playback.pause()
    playback.restart()
    assert (playback.time, playback.is_playing) == (0.0, True)
