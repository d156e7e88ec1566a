"""What of a large map is shown, in a recorded match in which a flag is taken."""

from itertools import pairwise

import pytest

from tests.views.matches import load_timeline
from visualizer.model.timeline import ReplayTimeline


@pytest.fixture(scope="module")
def timeline() -> ReplayTimeline:
    return load_timeline("game_of_death")


def test_at_first_all_of_the_map_is_shown_with_both_homes(timeline: ReplayTimeline) -> None:
    for time in (0, 0.5, 5, 10):
        assert timeline.camera.part_at(time) == pytest.approx(timeline.scene.extent, abs=0.01)


def test_then_the_fight_is_seen_closer(timeline: ReplayTimeline) -> None:
    part = timeline.camera.part_at(30)
    assert part is not None
    assert part.width < timeline.scene.extent.width / 2


def test_whoever_carries_a_flag_is_in_sight(timeline: ReplayTimeline) -> None:
    first = timeline.trails.points[0][0]
    carried = [point for point in timeline.trails.points if point[0] > first + 2]
    assert carried
    for turn, _, x, y in carried:
        part = timeline.camera.part_at(turn)
        assert part is not None
        assert part.left < x < part.right
        assert part.top < y < part.bottom


def test_it_goes_evenly(timeline: ReplayTimeline) -> None:
    tenths = [timeline.camera.part_at(number / 10) for number in range(10 * timeline.last_turn)]
    for one, other in pairwise(tenths):
        assert one is not None
        assert other is not None
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < 3


def test_small_maps_are_shown_as_they_are() -> None:
    for name in ("slime_mind", "smack", "smac"):
        assert load_timeline(name).camera.part_at(9) is None


def test_it_rests_while_it_shows_well_what_happens(timeline: ReplayTimeline) -> None:
    parts = timeline.camera.parts
    moves = sum(one != other for one, other in pairwise(parts))
    assert 5 < moves < len(parts) / 2
