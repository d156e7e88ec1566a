"""A real browser, and pages opened in it from the disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.visualizer.page.browser import OpenPage
from visualizer.film import Film
from visualizer.page import page_of
from visualizer.sprites import Sprites

Open = Callable[..., OpenPage]


@pytest.fixture
def open_page(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Makes a page of a film and opens it; what goes wrong in it fails the test in the end."""
    opened: list[OpenPage] = []

    def opening(
        film: Film, link: str = "", *, making: dict[str, Any] | None = None, **options: Any
    ) -> OpenPage:
        path = tmp_path / "page.html"
        path.write_bytes(page_of(film, Sprites(film.replay.game.name), **(making or {})))
        opened.append(OpenPage(chromium, path, link, options))
        return opened[-1]

    yield opening
    for page in opened:
        page.close()
    assert [trouble for page in opened for trouble in page.troubles] == []
