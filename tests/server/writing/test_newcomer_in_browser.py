"""A newcomer's way in a real browser: looked up, compared, handed in, opened again."""

from typing import Any

from tests.server.members import Server
from tests.server.writing.browsing import (
    OpenPage,
    code,
    is_saved,
    open_editor,
    put,
    read_code,
    read_saved_text,
)
from tests.shell import eventually

PATIENCE_MS = 150_000
END_OF_LINE = """line => {
    const range = document.createRange();
    range.selectNodeContents(line);
    const { right, top, height } = range.getBoundingClientRect();
    return [right, top + height / 2];
}"""
WAITS = """
from engine.games.slime_mind.player import BasePlayer, Slime


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        return "MERGE"
"""


def test_an_example_is_inserted_below_the_line_of_the_cursor(page: Any) -> None:
    put(page, "# first\n")
    page.get_by_role("tab", name="API and examples").click()
    example = page.locator("#examples details").first
    example.wait_for()
    title = example.locator("summary").inner_text()
    lines = example.locator("pre").text_content().strip().splitlines()
    example.locator("summary").click()
    page.get_by_role("button", name=f"Insert: {title}").first.click()
    is_saved(page)
    assert eventually(lambda: read_saved_text(page).strip().splitlines() == ["# first", *lines])
    assert page.errors == []


def test_names_of_the_api_are_found(page: Any) -> None:
    page.get_by_role("tab", name="API and examples").click()
    page.locator("#entries details").first.wait_for()
    page.get_by_label("Find").fill("nearest_plant")
    page.locator("#entries dt").filter(has_text="nearest_plant(").first.wait_for()
    page.get_by_label("Find").fill("no such name")
    page.get_by_text("Nothing has “no such name” in it.").wait_for()


def test_names_are_completed_while_one_types(open_page: OpenPage, server: Server) -> None:
    """The plain text area completes nothing."""
    server.member("Ann")
    page = open_page("Ann")
    open_editor(page)
    page.locator("#entries details").first.wait_for(state="attached")
    put(page, "x = 1\n")
    page.keyboard.type("self.board.nearest_pl")
    option = page.locator("#editor .cm-tooltip-autocomplete li").filter(has_text="nearest_plant")
    option.click()
    assert eventually(lambda: "self.board.nearest_plant" in read_code(page))
    line = page.locator("#editor .cm-line").filter(has_text="nearest_plant")
    x, y = line.evaluate(END_OF_LINE)
    page.mouse.move(x - 40, y)
    page.mouse.move(x - 20, y)
    page.locator("#editor .cm-known").filter(has_text="BoardView.nearest_plant(").wait_for()
    assert page.errors == []


def test_a_series_tells_whether_a_change_was_one_for_the_better(page: Any) -> None:
    put(page, WAITS)
    is_saved(page)
    page.get_by_role("tab", name="Versions").click()
    page.get_by_role("button", name="Keep this version").click()
    page.locator("#versions li").first.wait_for()
    page.get_by_role("tab", name="Better?").click()
    page.locator("#versus-opponent").select_option("player_one")
    page.locator("#versus-games").select_option("30")
    page.get_by_role("button", name="Better?").click()
    stop = page.locator("#versus-stop")
    stop.wait_for()
    stop.wait_for(state="hidden", timeout=PATIENCE_MS)
    assert "is worse than player_one" in page.locator("#versus-verdict").inner_text()
    assert "of at most 30" in page.locator("#versus-counts").inner_text()
    page.locator("#versus-bar .range").wait_for(state="attached")
    assert page.errors == []


def test_a_bot_is_handed_in_and_opens_in_the_editor_again(page: Any, server: Server) -> None:
    put(page, WAITS)
    is_saved(page)
    page.get_by_role("button", name="Hand in").first.click()
    dialog = page.get_by_role("dialog", name="Hand in")
    dialog.get_by_label("Ladder").wait_for()
    dialog.get_by_role("button", name="Hand in").click()
    dialog.locator("#checks[data-state=active]").wait_for(timeout=PATIENCE_MS)
    address = dialog.get_by_role("link", name="Its page").get_attribute("href")
    page.goto(address)
    page.get_by_role("button", name="Open in the editor").click()
    code(page).wait_for()
    assert read_code(page).strip() == WAITS.strip()


def test_a_guest_is_told_what_handing_in_needs(open_page: OpenPage, server: Server) -> None:
    server.member("Ann")
    page = open_page("Ann")
    open_editor(page)
    page.evaluate("() => document.getElementById('workbench').removeAttribute('data-member')")
    page.get_by_role("button", name="Hand in").first.click()
    link = page.get_by_role("dialog").get_by_role("link", name="sign in or register")
    assert "/sign-in?next=%2Fwrite%2F" in link.get_attribute("href")
