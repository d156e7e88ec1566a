"""What the legend says of a board, and the list of the latest events."""

import pytest

from tests.visualizer.drawing.listed import ListedDrawing
from visualizer.drawing.event_list import draw_events
from visualizer.drawing.legend import Legend
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites
from visualizer.model.latest_events import Narration
from visualizer.model.timeline import ReplayTimeline

PLACE = Rect(10, 20, 300, 400)


def make_legend(timeline: ReplayTimeline, draws: ListedDrawing) -> Legend:
    return Legend(draws, timeline, Sprites(timeline.replay.game.name))


@pytest.fixture(params=["smack_timeline", "smac_timeline"])
def any_timeline(request: pytest.FixtureRequest) -> ReplayTimeline:
    timeline: ReplayTimeline = request.getfixturevalue(request.param)
    return timeline


def test_all_that_the_scene_explains_and_all_signs_are_told(any_timeline: ReplayTimeline) -> None:
    draws, scene = ListedDrawing(unit=1), any_timeline.scene
    legend = make_legend(any_timeline, draws)
    rest = legend.draw(PLACE, legend.entries_for(PLACE))
    signs = [words for _, words in any_timeline.legend]
    assert 0 < len(signs) < len(scene.mark_names)  # what never happened in the match is left out
    found = [text for text in draws.texts if not text.isdigit()]
    assert found == [*(entry.words for entry in scene.key()), *signs]
    assert min(row.place.y for row in draws.of("text")) >= rest.bottom
    assert max(row.place.bottom for row in draws.of("text")) <= PLACE.bottom


def test_where_there_is_little_room_the_board_is_explained_alone(
    smac_timeline: ReplayTimeline,
) -> None:
    draws = ListedDrawing(unit=1)
    legend = make_legend(smac_timeline, draws)
    parts = [entry.words for entry in legend.entries_for(PLACE._replace(height=70))]
    assert parts == [entry.words for entry in smac_timeline.scene.key()]
    assert legend.entries_for(PLACE._replace(height=20)) == ()


def test_the_latest_events_are_listed_with_their_turns(smac_timeline: ReplayTimeline) -> None:
    draws, narration = ListedDrawing(unit=1), Narration(smac_timeline)
    draw_events(draws, PLACE, smac_timeline, narration, smac_timeline.steps)
    lines = narration.latest_lines(smac_timeline.steps, 22)
    found = [text for line in lines for text in (f"{line.turn}", line.text)]
    assert [text.rstrip("…") for text in draws.texts[1:]] == [
        text[: len(shown.rstrip("…"))] for text, shown in zip(found, draws.texts[1:], strict=True)
    ]
    assert max(row.place.bottom for row in draws.of("text")) <= PLACE.bottom


def test_before_anything_happened_that_is_said(smac_timeline: ReplayTimeline) -> None:
    draws = ListedDrawing(unit=1)
    draw_events(draws, PLACE, smac_timeline, Narration(smac_timeline), 0)
    assert draws.texts == ["Latest events", "none yet"]
