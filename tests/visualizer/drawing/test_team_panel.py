"""The panel of a team, in places of all sizes."""

from itertools import combinations

import pytest

from tests.visualizer.drawing.listed import ListedDrawing
from visualizer.drawing.rect import Rect
from visualizer.drawing.team_panel import FACT_SEPARATOR, LOWEST, TeamPanel, draw_team_panel
from visualizer.model.cursor import Cursor
from visualizer.model.timeline import ReplayTimeline

SIZES = [(300, 46), (300, 68), (300, 100), (260, 142), (316, 160), (700, 100)]


def draw_panel(timeline: ReplayTimeline, size: tuple[int, int], team: int = 1) -> ListedDrawing:
    cursor = Cursor(timeline)
    cursor.seek(timeline.steps)
    panel = TeamPanel(timeline, cursor.state, cursor.position, team)
    draws = ListedDrawing(unit=1)
    draw_team_panel(draws, Rect(10, 20, *size), panel)
    return draws


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_text_leaves_the_panel_or_covers_another(
    size: tuple[int, int], smac_timeline: ReplayTimeline
) -> None:
    texts = draw_panel(smac_timeline, size).of("text")
    for row in texts:
        assert row.place.x >= 10, row.about
        assert row.place.right <= 10 + size[0] + 1, row.about
        assert row.place.y >= 20, row.about
        assert row.place.bottom <= 20 + size[1], row.about
    for one, other in combinations(texts, 2):
        assert not do_meet(one.place.inset(1), other.place.inset(1)), (one.about, other.about)


def do_meet(one: Rect, other: Rect) -> bool:
    beside = one.right <= other.x or other.right <= one.x
    return not (beside or one.bottom <= other.y or other.bottom <= one.y)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_name_and_score_are_always_there(
    size: tuple[int, int], smac_timeline: ReplayTimeline
) -> None:
    cursor = Cursor(smac_timeline)
    cursor.seek(smac_timeline.steps)
    panel = TeamPanel(smac_timeline, cursor.state, cursor.position, 2)
    texts = draw_panel(smac_timeline, size, 2).texts
    assert panel.score in texts
    assert any(text.startswith(panel.name[:4]) for text in texts)


def test_cpu_time_is_said_where_there_is_room(smac_timeline: ReplayTimeline) -> None:
    for size in SIZES:
        if size[1] > LOWEST + 30:
            assert "CPU" in draw_panel(smac_timeline, size).texts


def test_no_fact_is_cut_where_there_is_no_room_for_all(smac_timeline: ReplayTimeline) -> None:
    cursor = Cursor(smac_timeline)
    cursor.seek(smac_timeline.steps)
    panel = TeamPanel(smac_timeline, cursor.state, cursor.position, 1)
    whole = {f"{name} {value}" for name, value in panel.facts}
    found = [text for text in draw_panel(smac_timeline, (316, 100)).texts if FACT_SEPARATOR in text]
    assert found
    assert set(FACT_SEPARATOR.join(found).split(FACT_SEPARATOR)) <= whole
