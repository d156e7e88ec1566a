"""What can be wished for, and what follows from it."""

from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from tests.cases import for_each
from tests.golden.record import replay_path
from tests.views.matches import MATCHES, load_timeline
from tests.visualizer.timelines import read_timeline
from visualizer.export.clip import Clip
from visualizer.export.plan import (
    FORMS,
    ExportRequest,
    check_ending,
    check_size,
    choose_speed,
    frames_per_s,
    make_stretch,
)
from visualizer.model.story import Story, find_key_moments
from visualizer.model.timeline import ReplayTimeline

SIZE = (640, 360)


@pytest.fixture(scope="module")
def timeline() -> ReplayTimeline:
    """60 turns."""
    return read_timeline(replay_path("small"))


@pytest.mark.parametrize("name", ["a.png", "a.GIF", "b/a.b.webp", "a.Mp4", "a.html"])
def test_endings_that_can_be_written(name: str) -> None:
    assert check_ending(Path(name), ExportRequest()) == Path(name).suffix.lower()


@pytest.mark.parametrize("name", ["a", "a.avi", ".png", "a.png.", "gif"])
def test_other_endings_are_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UsageError, match=r"possible endings are: \.png, \.gif"):
        check_ending(Path(name), ExportRequest())


@pytest.mark.parametrize(
    ("name", "wanted", "message"),
    [
        ("a.gif", ExportRequest(turn=3), "--turn is for .png, .html, not for .gif"),
        ("a.png", ExportRequest(first=3), "--from is for .gif, .webp, .mp4, not for .png"),
        ("a.png", ExportRequest(last=3), "--to is for"),
        ("a.png", ExportRequest(fps=3), "--fps is for"),
        ("a.html", ExportRequest(speed=3), "--speed is for"),
        (
            "a.html",
            ExportRequest(size=SIZE),
            "--size is for .png, .gif, .webp, .mp4, not for .html",
        ),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    name: str, wanted: ExportRequest, message: str
) -> None:
    with pytest.raises(UsageError, match=message.replace(".", r"\.")):
        check_ending(Path(name), wanted)


@pytest.mark.parametrize(
    ("ending", "size", "message"),
    [
        (".png", (0, 0), "too small; at least 320x240"),
        (".png", (300, 300), "too small"),
        (".png", (1000, 200), "too small"),
        (".png", (8000, 1000), "too large; at most 7680x4320"),
        (".png", (5000, 5000), "too large"),
        (".png", (2000, 400), "one side is more than 4 times the other"),
        (".mp4", (961, 545), "MP4 needs even sides, such as 960x544"),
    ],
)
def test_silly_sizes_are_refused(ending: str, size: tuple[int, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_size(ending, ExportRequest(size=size))


@pytest.mark.parametrize("size", [(320, 240), (240, 320), (4320, 7680), (641, 361)])
def test_sizes_may_be_odd_and_upright(size: tuple[int, int]) -> None:
    assert check_size(".png", ExportRequest(size=size)) == size


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (ExportRequest(first=30, last=20), "--from 30 comes after --to 20"),
        (ExportRequest(first=-1), "--from -1: .* has turns 0 to 60"),
        (ExportRequest(first=61), "--from 61: .* has turns 0 to 60"),
        (ExportRequest(last=61), "--to 61: .* has turns 0 to 60"),
        (ExportRequest(fps=0), "--fps 0: 1 to 50"),
        (ExportRequest(fps=51), "--fps 51: 1 to 50"),
        (ExportRequest(fps=float("nan")), "--fps nan"),
        (ExportRequest(speed=0), "--speed 0: more than 0, and at most 1000"),
        (ExportRequest(speed=-1), "--speed -1"),
        (ExportRequest(speed=float("inf")), "--speed inf"),
        (ExportRequest(speed=float("nan")), "--speed nan"),
        (ExportRequest(speed=0.0001), "frames of 640x360, too much for one file.*--from, --to"),
    ],
)
def test_stretches_that_cannot_be_are_refused(
    timeline: ReplayTimeline, wanted: ExportRequest, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        make_stretch(timeline, FORMS[".gif"], wanted, SIZE)


def test_a_stretch_goes_from_the_beginning_of_a_turn_to_the_end_of_another(
    timeline: ReplayTimeline,
) -> None:
    stretch = make_stretch(timeline, FORMS[".gif"], ExportRequest(first=5, last=9, speed=1.0), SIZE)
    assert (stretch.times[0], stretch.times[-1]) == (4, 9)
    assert stretch.times == sorted(set(stretch.times))


def test_unless_said_a_stretch_is_the_whole_match(timeline: ReplayTimeline) -> None:
    stretch = make_stretch(timeline, FORMS[".mp4"], ExportRequest(), SIZE)
    assert (stretch.times[0], stretch.times[-1]) == (0, timeline.last_turn)


def test_the_end_stays_for_a_while(timeline: ReplayTimeline) -> None:
    stretch = make_stretch(timeline, FORMS[".mp4"], ExportRequest(first=60), SIZE)
    assert stretch.ticks[-1] > 2 * FORMS[".mp4"].fps


@pytest.mark.parametrize(
    ("ending", "lasts_s", "speed"),
    [(".mp4", 60, 1), (".mp4", 250, 250 / 60), (".gif", 20, 1), (".gif", 250, 12.5)],
)
def test_short_matches_are_played_as_they_are_and_long_ones_faster(
    ending: str, lasts_s: float, speed: float
) -> None:
    assert choose_speed(FORMS[ending], ExportRequest(), lasts_s) == pytest.approx(speed)


def test_a_wish_comes_before_what_is_usual() -> None:
    wanted = ExportRequest(fps=5, speed=2)
    assert choose_speed(FORMS[".gif"], wanted, 10_000) == 2
    assert frames_per_s(FORMS[".gif"], wanted) == 5


@for_each("fps", [3, 7, 10, 29.97, 30, 50])
@for_each("step", [1, 10])
def test_rounded_durations_do_not_drift(fps: float, step: int) -> None:
    def nothing() -> Any:
        raise NotImplementedError

    ticks = [1] * 500
    clip = Clip(size=SIZE, fps=fps, ticks=ticks, pictures=nothing, samples=nothing)
    durations = clip.picture_durations(step)
    assert all(duration % step == 0 for duration in durations)
    assert sum(durations) == pytest.approx(500 / fps * 1000, abs=step)


@for_each("name", MATCHES)
@for_each("ending", [".mp4", ".gif"])
def test_highlights_are_the_key_moments_and_the_end_in_half_a_minute(
    name: str, ending: str
) -> None:
    match, form = load_timeline(name), FORMS[ending]
    stretch = make_stretch(match, form, ExportRequest(highlights=True), SIZE)
    assert len(stretch.times) == len(stretch.ticks) == len(stretch.captions)
    assert sum(stretch.ticks) / form.fps <= 30
    shown = [time for time, ticks in zip(stretch.times, stretch.ticks, strict=True) if ticks > 1]
    assert shown == [*find_key_moments(match.scores), match.last_turn]
    story = Story(match)
    found = [caption for caption in dict.fromkeys(stretch.captions) if caption]
    assert found == [story.caption(match.turn_end(int(turn))) for turn in shown[:-1]]
    assert stretch.captions[-1] is None  # the end is told when it has come


def test_highlights_choose_their_turns(timeline: ReplayTimeline) -> None:
    with pytest.raises(UsageError, match="--highlights chooses its turns"):
        make_stretch(timeline, FORMS[".gif"], ExportRequest(highlights=True, last=9), SIZE)
