"""The types that scripts are checked by are those of what pages get."""

from pathlib import Path

import msgspec
import pytest

from engine.bot_output import Circle, Cross, Line, LogLine, Rectangle, Words
from tests import needs
from tests.visualizer.backends.page.test_page import add_notes, page_with, read_data, read_facts
from tests.web_check import differences
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline

COLOR = "#ff0000"
NOTED = (
    Line(1, 2, 3, 4, COLOR),
    Rectangle(1, 2, 3, 4, COLOR),
    Circle(1, 2, 3, COLOR),
    Words(1, 2, "here", COLOR),
    Cross(1, 2, COLOR, "plan"),
    LogLine("info", "a line"),
)

pytestmark = needs.NPM_PACKAGES


@pytest.mark.slow
def test_facts_and_texts_of_a_page_are_of_the_types_of_its_scripts(
    smack_timeline: ReplayTimeline, smac_timeline: ReplayTimeline, tmp_path: Path
) -> None:
    values: dict[str, tuple[str, object]] = {}
    for name, timeline in {"smack": smack_timeline, "smac": smac_timeline}.items():
        page = page_with(add_notes(timeline, *NOTED), has_drawings=True)
        texts = msgspec.json.decode(read_data(page, "texts"))
        assert len(texts["drawings"][0][1]) == 5
        values[f"{name}_facts"] = "FileFacts", read_facts(page)
        values[f"{name}_texts"] = "Texts", texts
    assert differences(tmp_path, "viewer/types.d.ts", values) == ""


@pytest.mark.slow
def test_messages_of_a_live_match_are_of_the_type_of_its_scripts(
    smack_timeline: ReplayTimeline, smac_timeline: ReplayTimeline, tmp_path: Path
) -> None:
    about = {
        "isGrowing": False,
        "isWhole": True,
        "isContinuable": True,
        "ownTeam": 1,
        "follows": False,
        "seats": ["one", "two"],
        "seed": "5",
        "seedHash": None,
    }
    values: dict[str, tuple[str, object]] = {}
    for name, timeline in {"smack": smack_timeline, "smac": smac_timeline}.items():
        page = GrowingPage(timeline, Sprites(timeline.replay.game.name))
        page.grow()
        for moment, since in {"first": None, "later": 0}.items():
            message = msgspec.json.decode(page.message(since, about))
            values[f"{name}_{moment}"] = "SceneMessage", message
    assert differences(tmp_path, "viewer/types.d.ts", values) == ""
