"""Where nothing happens turns pass faster, in all views alike."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.views.matches import load_timeline
from visualizer.export.plan import FORMS, ExportRequest, make_stretch
from visualizer.model.playback import QUIET_SPEED, FoldedTime, Playback, QuietStretch, find_quiet
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline

FOLDED = FoldedTime([QuietStretch(4, 9), QuietStretch(20, 60)])
load = cache(load_timeline)


@for_each("name", ["slime_mind", "smack"])
def test_in_a_quiet_stretch_nothing_is_marked_and_before_and_after_it_a_while(name: str) -> None:
    timeline = load(name)
    marked = {timeline.turn_at(mark.position) for mark in timeline.marks}
    marked |= {timeline.last_turn, *find_key_moments(timeline.scores)}
    found = find_quiet([timeline])
    assert found
    around = timeline.scene.turns_per_s // 2
    for first, last in found:
        assert not [turn for turn in marked if first - around <= turn <= last + around]
        assert last - first + 1 >= 6


def test_a_match_whose_end_is_not_known_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = load_timeline("smack")
    monkeypatch.setattr(ReplayTimeline, "is_over", False)
    assert find_quiet([timeline]) == []


@given(st.floats(0, 100))
def test_folded_time_leads_back_to_the_time(time: float) -> None:
    assert FOLDED.unfold(FOLDED.fold(time)) == pytest.approx(time)


def test_only_quiet_stretches_pass_faster() -> None:
    assert [FOLDED.fold(time) for time in (3, 9, 19, 60, 70)] == [
        pytest.approx(time) for time in (3, 4, 14, 14 + 41 / QUIET_SPEED, 24 + 41 / QUIET_SPEED)
    ]
    assert FOLDED.stretch_at(2.9) is FOLDED.stretch_at(9) is None
    assert FOLDED.stretch_at(3) == FOLDED.stretch_at(8.9) == (4, 9)


def test_a_playhead_is_faster_there_unless_it_is_unfolded() -> None:
    timeline = load("slime_mind")
    playback, turn_s = Playback([timeline]), 1 / timeline.scene.turns_per_s
    stretch = playback.quiet[0]
    playback.seek_turn(stretch.begin)
    playback.advance(turn_s)
    assert playback.time == pytest.approx(stretch.begin + QUIET_SPEED)
    assert (playback.pace, playback.quiet_words) == (QUIET_SPEED, stretch.words)
    playback.toggle_fold(stretch)
    playback.advance(turn_s)
    assert playback.time == pytest.approx(stretch.begin + QUIET_SPEED + 1)
    assert (playback.pace, playback.quiet_words) == (1, "")
    playback.toggle_folds()
    assert playback.folded.stretches == playback.quiet


def test_a_video_is_shorter_by_them_and_says_so() -> None:
    timeline = load("slime_mind")
    folded, slow = (
        make_stretch(timeline, FORMS[".mp4"], ExportRequest(speed=1.0, no_fold=no_fold), (640, 360))
        for no_fold in (None, True)
    )
    assert folded.times[-1] == slow.times[-1] == timeline.last_turn
    shorter = FoldedTime(find_quiet([timeline])).fold(timeline.last_turn)
    saved = (timeline.last_turn - shorter) / timeline.scene.turns_per_s * FORMS[".mp4"].fps
    assert sum(slow.ticks) - sum(folded.ticks) == pytest.approx(saved, abs=2)
    assert {None, find_quiet([timeline])[0].words} <= set(folded.captions)
    assert set(slow.captions) == {None}
