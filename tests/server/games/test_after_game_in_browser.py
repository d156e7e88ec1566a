"""What the page of a game says once it is over, in a real browser."""

import pytest

from tests.server.conftest import Visit
from tests.server.games.test_advice import play_on
from tests.server.members import Server
from tests.server.playing import start_game

pytestmark = pytest.mark.slow
NARROW = {"viewport": {"width": 360, "height": 740}}


def test_a_page_says_how_the_game_turned_and_what_a_search_bot_would_have_played(
    visit: Visit, server: Server
) -> None:
    game_id = start_game(server.game_service, ply_limit=30)
    page = visit(f"/games/{game_id}", **NARROW)
    page.locator("#band").wait_for(state="hidden")
    play_on(server.game_service, game_id)

    page = visit(f"/games/{game_id}/watch#t=1", **NARROW)
    page.get_by_role("button", name="What would a search bot have played?").click()
    page.get_by_text("player_three would have played").wait_for(timeout=60_000)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

    page = visit(f"/games/{game_id}", **NARROW)
    page.get_by_role("heading", name="A draw").wait_for()
    page.keyboard.press("End")
    button = page.locator("#band").get_by_role("button").first
    turn = button.inner_text().removeprefix("turn ")
    button.click()
    page.locator("#deck").filter(has_text=f"turn {turn}").wait_for()
