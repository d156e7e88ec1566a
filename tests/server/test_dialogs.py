"""Dialogs and notices of all pages but those of Smack!, in a real browser, light and dark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.http.page_requests import make_environment
from tests.server.conftest import Serve
from tests.server.members import Server
from tests.server.playing import start_game
from tests.views.contrast import faint_in_either_theme

pytestmark = pytest.mark.slow

SCRIPTS = Path(__file__).with_name("dialogs.js").read_text(encoding="utf-8")
"""What shows each dialog and notice, as scripts of the pages do."""
NOTICES = """
<p class="why" role="alert">There is no such bot.</p>
<div class="card once" role="status"><p>An invitation. It is shown only now:</p>
<p><input type="text" readonly value="http://arena/welcome/1"></p></div>
<p class="card once" role="status">Muted.</p>
<p class="card note" role="status">Sealed until the <a href="/">tournament</a> begins.</p>
<p class="card note bad" role="status">It could not begin at its hour: nobody came.</p>
<p class="bad">Refused: the game is over.</p>
<p><span class="mark">new</span>
<span class="tag">provisional</span> <span class="tag bad">quarantined</span>
<span class="state active">active</span> <span class="state refused">refused</span>
<span class="state former">former</span> <span class="state checking">checking</span></p>
<p><span class="won">won</span> <span class="lost">lost</span> <span class="level">drawn</span></p>
<form class="card fields"><label>Name <input aria-invalid="true" value="x y">
<strong class="wrong">A name has no spaces.</strong></label>
<details class="asked" open><summary>Leave this group …</summary><p>You can come back.</p>
<button class="danger">Leave</button></details></form>
"""
"""What the templates of the site say, with their classes."""
PLACES = ("/me/delete", "/admin/health", "/submit", "/contests")


class Shown:
    """A page of an organizer, and what was too faint on it so far."""

    def __init__(self, page: Any, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.faint: list[str] = []

    def call(self, name: str, *values: str) -> Any:
        """Call a function of dialogs.js in the page."""
        return self.page.evaluate(f"(values) => {{ {SCRIPTS}; return {name}(...values) }}", values)

    def look(self, name: str) -> None:
        self.faint += faint_in_either_theme(self.page, name, self.folder)

    def look_at_dialogs(self, name: str) -> None:
        for dialog in self.call("fillDialogs"):
            place = self.page.locator(f"#{dialog}")
            place.evaluate("(dialog) => dialog.showModal()")
            self.look(f"{name}-{dialog}")
            place.evaluate("(dialog) => dialog.close()")


@pytest.fixture
def shown(server: Server, serve: Serve, chromium: Any, tmp_path: Path) -> Iterator[Shown]:
    server.organizer()
    home = serve(server.game_service, server.site)
    context = chromium.new_context(base_url=home, viewport={"width": 1280, "height": 800})
    server.sign_in(context, "Olga", home)
    yield Shown(context.new_page(), tmp_path)
    context.close()


@pytest.mark.parametrize("game", ["slime_mind", "smac"])
def test_what_boards_say_can_be_read_in_both_themes(
    game: str, server: Server, shown: Shown
) -> None:
    page, service = shown.page, server.game_service
    game_id = start_game(service, game, "pp")
    page.goto(f"/games/{game_id}?key={service.keys.new_key(game_id, (1,))}")
    page.locator("#tour").wait_for()
    shown.call("showNotices")
    shown.look(f"{game}-notices")
    page.locator("#tour").get_by_role("button", name="Skip").click()
    page.keyboard.press("?")
    shown.look(f"{game}-help")
    page.keyboard.press("Escape")
    shown.call("ask")
    page.get_by_role("dialog").get_by_role("button", name="Resign").wait_for()
    shown.look(f"{game}-question")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    shown.call("showEnd")
    shown.look(f"{game}-end")
    assert shown.faint == []


def test_what_came_of_a_mock_battle_can_be_read_in_both_themes(
    server: Server, shown: Shown
) -> None:
    page = shown.page
    page.goto(f"/games/{start_game(server.game_service, 'slime_mind', 'pp')}/watch")
    page.locator("body:not(.loading) #board").wait_for()
    run = {"is_exhibition": False, "room": "", "draft": "", "state": "running"}
    panel = make_environment().get_template("run_panel.html").render(run=run)
    page.add_style_tag(url="/static/designer/run.css")
    shown.call("put", "aside", panel)
    shown.call("showNotices")
    shown.look("run")
    assert shown.faint == []


def test_what_the_designer_and_the_page_of_drafts_say_can_be_read_in_both_themes(
    shown: Shown,
) -> None:
    page = shown.page
    page.goto("/design")
    page.locator("#designer").wait_for()
    shown.call("showNotices")
    shown.look("design")
    page.goto("/write")
    page.get_by_role("button", name="Write a bot for Game of Death").click()
    page.get_by_role("textbox", name="Code of the bot").wait_for()
    shown.call("showNotices")
    shown.look("write")
    shown.look_at_dialogs("write")
    assert shown.faint == []


def test_what_the_site_says_can_be_read_in_both_themes(shown: Shown) -> None:
    shown.page.goto("/nowhere")
    shown.look("nowhere")
    for path in PLACES:
        shown.page.goto(path)
        shown.call("showNotices")
        shown.call("put", "#main", NOTICES)
        shown.look(path.replace("/", "-")[1:])
    assert shown.faint == []
