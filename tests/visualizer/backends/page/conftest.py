"""A real browser, and pages opened in it from the disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.recorded import record
from tests.visualizer.backends.page.browser import OpenPage
from tests.visualizer.timelines import read_timeline
from visualizer.backends.page import render_replay_page
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline

Open = Callable[..., OpenPage]


@pytest.fixture
def open_page(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Make a page of a replay and open it; errors in it fail the test in the end."""
    opened: list[OpenPage] = []

    def opening(
        timeline: ReplayTimeline,
        link: str = "",
        *,
        making: dict[str, Any] | None = None,
        watching: str = "",
        **options: Any,
    ) -> OpenPage:
        path = tmp_path / "page.html"
        path.write_bytes(
            render_replay_page(timeline, Sprites(timeline.replay.game.name), **(making or {}))
        )
        opened.append(OpenPage(chromium, path, link, options, watching))
        return opened[-1]

    yield opening
    for page in opened:
        page.close()
    assert [trouble for page in opened for trouble in page.troubles] == []


@pytest.fixture(scope="module")
def timeline(tmp_path_factory: pytest.TempPathFactory) -> ReplayTimeline:
    """Return a recorded match of Slime Mind."""
    path = tmp_path_factory.mktemp("match") / "replay.jsonl.gz"
    record(path)
    return read_timeline(path)
