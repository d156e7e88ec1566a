"""A page that a server feeds: what was sent in parts is what there is at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.bot_output import Cross, LogLine
from engine.replays.decisions import Decision
from engine.replays.public_copy import PublicReplay, PublicView
from engine.replays.reading import Replay
from engine.replays.writing import NotesAside
from tests.engine.recorded import record
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline


class Reader:
    """Folds messages, as the page does."""

    def __init__(self) -> None:
        self.lists: dict[str, list[Any]] = {}

    def take(self, message: bytes) -> None:
        content = json.loads(message)
        for kind in ("columns", "shapes"):
            for name, values in content[kind].items():
                self.lists.setdefault(f"{kind} {name}", []).extend(values)
        for name in ("words", "images", "decisions", "thresholds"):
            self.lists.setdefault(name, []).extend(content.get(name, []))


def grown(replay: Replay, at_once: bool) -> tuple[GrowingPage, Reader]:
    public = PublicReplay(replay.spec, replay.bots)
    view = PublicView(replay.game, replay.spec, len(replay.bots))
    page, reader = GrowingPage(ReplayTimeline(public), Sprites(replay.game.name)), Reader()
    for number in range(replay.line_count):
        public.add(view.public_entries(replay.entries_of_line(number)))
        if not at_once:
            page.grow()
            reader.take(page.message(page.moments - 2 if number else None, {}))
    if replay.outcome is not None:
        public.end(replay.outcome)
    page.grow()
    reader.take(page.message(None if at_once else page.moments - 2, {}))
    return page, reader


@pytest.fixture(params=["smack", "smac", "slime_mind"])
def replay(
    request: pytest.FixtureRequest,
    smack_timeline: ReplayTimeline,
    smac_timeline: ReplayTimeline,
    tmp_path: Path,
) -> Replay:
    """A match of each kind: without secrets, with them, with many steps a turn."""
    if request.param == "slime_mind":
        record(tmp_path / "replay")
        return Replay(tmp_path / "replay")
    return (smack_timeline if request.param == "smack" else smac_timeline).replay


def test_parts_are_what_there_is_at_once(replay: Replay) -> None:
    page, in_parts = grown(replay, at_once=False)
    everything = Reader()
    everything.take(page.message(None, {}))
    assert in_parts.lists == everything.lists


def test_every_code_has_a_difference_and_every_difference_a_shape(replay: Replay) -> None:
    _, reader = grown(replay, at_once=False)
    for what in ("thing", "team"):
        codes, shapes = (reader.lists[f"columns {what} {part}"] for part in ("code", "shape"))
        assert max(codes, default=0) <= len(shapes)
        assert max(shapes, default=-1) < len(reader.lists[f"shapes {what}"])


def test_the_public_is_told_no_seed_and_no_order_of_a_game_with_secrets(replay: Replay) -> None:
    public = PublicReplay(replay.spec, replay.bots)
    view = PublicView(replay.game, replay.spec, len(replay.bots))
    public.add(view.public_entries(replay.entries()))
    assert (replay.spec.seed, public.spec.seed) == (replay.spec.seed or 1, 0)
    has_orders = any(isinstance(entry, Decision) for entry in public.entries())
    assert has_orders is replay.game.open_information


def test_what_bots_note_is_sent_once_where_it_may_be_seen(replay: Replay) -> None:
    page = GrowingPage(ReplayTimeline(replay), Sprites(replay.game.name))
    page.grow()
    page.take_notes(NotesAside(1, 1, 0, (Cross(1, 2, "#ff0000", "plan"), LogLine("info", "hm"))))
    page.grow()
    page.take_notes(NotesAside(1, 2, 0, (LogLine("info", "ah"),)))
    page.grow()
    second, third = (json.loads(page.message(since, {})) for since in (0, 1))
    turn, (team, *_, form, _, _) = second["drawings"][0]
    assert (len(second["drawings"]), turn, team, form) == (1, 1, 1, "path")
    assert second["logs"] == [[1, 1, 0, "hm"], [1, 2, 0, "ah"]]
    assert third["logs"] == [[1, 2, 0, "ah"]]
    assert "drawings" not in third
