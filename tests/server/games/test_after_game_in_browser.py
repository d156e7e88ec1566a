"""What the page of a game says once it is over, in a real browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.server.conftest import Serve
from tests.server.games.test_advice import play_on
from tests.server.members import Server
from tests.server.playing import start_game

pytestmark = pytest.mark.slow


@pytest.fixture
def visit(server: Server, serve: Serve, chromium: Any) -> Iterator[Callable[[str], Any]]:
    """Open a page; errors of its scripts fail the test in the end."""
    home = serve(server.game_service, server.site)
    context = chromium.new_context(
        base_url=home, viewport={"width": 360, "height": 740}, reduced_motion="reduce"
    )
    errors: list[str] = []

    def open_page(path: str) -> Any:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    context.close()
    assert errors == []


def test_a_page_says_how_the_game_turned_and_what_a_search_bot_would_have_played(
    visit: Callable[[str], Any], server: Server
) -> None:
    game_id = start_game(server.game_service, ply_limit=30)
    page = visit(f"/games/{game_id}")
    page.locator("#band").wait_for(state="hidden")
    play_on(server.game_service, game_id)

    page = visit(f"/games/{game_id}/watch#t=1")
    page.get_by_role("button", name="What would a search bot have played?").click()
    page.get_by_text("player_three would have played").wait_for(timeout=60_000)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

    page = visit(f"/games/{game_id}")
    page.get_by_role("heading", name="A draw").wait_for()
    page.keyboard.press("End")
    button = page.locator("#band").get_by_role("button").first
    turn = button.inner_text().removeprefix("turn ")
    button.click()
    page.locator("#deck").filter(has_text=f"turn {turn}").wait_for()
