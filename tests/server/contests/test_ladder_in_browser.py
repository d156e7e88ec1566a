"""The ladder and a bot's page in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.site.application import Application
from tests.server.conftest import NewContext, new_page
from tests.server.contests.test_ladder_pages import Played
from tests.server.members import serving
from tests.server.serving import serving_app


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Played, str]]:
    """Yield a ladder that was played, and the address at which it is served."""
    folder: Path = tmp_path_factory.mktemp("ladder")
    with serving(folder) as server:
        played = Played(folder, server)
        with serving_app(
            lambda host: Application(server.game_service, [host], server.site, out=folder)
        ) as home:
            yield played, home
            server.site.end_streams()


@pytest.fixture
def page(new_context: NewContext) -> Any:
    return new_page(new_context(viewport={"width": 390, "height": 844}))


@pytest.mark.slow
def test_a_visitor_finds_a_bot_and_watches_a_match(arena: tuple[Played, str], page: Any) -> None:
    played, address = arena
    page.goto(f"{address}/ladders")
    page.get_by_role("link", name="Tiny").click()
    rows = page.locator("#table tbody tr")
    assert rows.count() == 3
    page.get_by_label("Filter").fill("BEN")
    page.get_by_text("1 of 3").wait_for()
    assert [row.is_visible() for row in rows.all()].count(True) == 1
    page.get_by_label("Filter").fill("")
    page.get_by_role("link", name="alpha", exact=True).click()
    page.get_by_role("heading", name="alpha").wait_for()
    assert page.locator(".maps li").count() >= 2
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.goto(f"{address}/matches/{played.find_match(played.alpha, played.beta)}")
    page.get_by_role("link", name="Watch").click()
    page.wait_for_function("() => document.querySelector('canvas, #board, svg') !== null")
    page.get_by_text("connecting").wait_for(state="detached")
    assert page.errors == []
