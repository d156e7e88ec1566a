"""Bots written in a real browser: with the editor that npm builds, and with a text area."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.members import Server, serving
from tests.server.test_in_browser import SERIOUS
from tests.server.writing.browsing import (
    OpenPage,
    code,
    is_saved,
    open_editor,
    put,
    read_code,
    read_saved_draft,
    read_saved_text,
)
from tests.shell import eventually

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MINUS = "\N{MINUS SIGN}"
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"


@pytest.fixture(name="server")
def a_server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, guests_write=True) as server:
        yield server


def test_a_visitor_chooses_a_game_and_a_bot_opens(open_page: OpenPage, editor: str) -> None:
    page = open_page()
    open_editor(page)
    assert page.locator("#editor textarea").count() == (editor == "plain")
    assert "class Player(BasePlayer):" in read_code(page)
    assert "/write/" in page.url
    page.get_by_text("This bot plays already. Press Run").wait_for()
    assert page.errors == []


def test_what_is_typed_is_saved_and_there_after_a_reload(open_page: OpenPage, editor: str) -> None:
    page = open_page()
    open_editor(page)
    put(page, f"# of the {editor} editor\n")
    is_saved(page)
    assert eventually(lambda: read_saved_text(page) == f"# of the {editor} editor\n")
    page.reload()
    code(page).wait_for()
    assert read_code(page).startswith(f"# of the {editor} editor")
    assert page.evaluate("() => Object.keys(localStorage)") == []


def test_a_reload_in_the_midst_of_typing_loses_nothing(open_page: OpenPage, editor: str) -> None:
    page = open_page()
    open_editor(page)
    page.route("**/api/v1/drafts/*", lambda route: route.abort())
    put(page, "# typed while the server was away\n")
    page.locator("#save-state[data-state=offline]").wait_for()
    assert "kept in this browser" in page.locator("#save-state").inner_text()
    page.unroute("**/api/v1/drafts/*")
    page.reload()
    code(page).wait_for()
    assert read_code(page).startswith("# typed while the server was away")
    is_saved(page)
    assert eventually(lambda: read_saved_text(page) == "# typed while the server was away\n")


def test_a_text_goes_to_a_server_that_comes_back(open_page: OpenPage) -> None:
    page = open_page()
    open_editor(page)
    page.route("**/api/v1/drafts/*", lambda route: route.abort())
    put(page, "# typed offline\n")
    page.locator("#save-state[data-state=offline]").wait_for()
    page.unroute("**/api/v1/drafts/*")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    is_saved(page)
    assert read_saved_text(page) == "# typed offline\n"


def test_an_answer_that_was_lost_is_no_change_of_somebody_else(open_page: OpenPage) -> None:
    page = open_page()
    open_editor(page)

    def answer_is_lost(route: Any) -> None:
        if route.request.method != "PUT":
            route.continue_()
            return
        route.fetch()
        route.abort()
        page.unroute("**/api/v1/drafts/*")

    page.route("**/api/v1/drafts/*", answer_is_lost)
    put(page, "# it came\n")
    page.locator("#save-state[data-state=offline]").wait_for()
    put(page, "# and more\n")
    is_saved(page)
    assert read_saved_text(page) == "# and more\n"
    assert not page.locator("#conflict").is_visible()


def test_of_two_tabs_the_one_that_is_idle_follows(open_page: OpenPage) -> None:
    one = open_page()
    open_editor(one)
    two = open_page(path=one.url, context=one.context)
    code(two).wait_for()
    put(one, "# from the first tab\n")
    is_saved(one)
    assert eventually(lambda: read_code(two).startswith("# from the first tab"))


@pytest.mark.parametrize(
    ("button", "text"), [("Keep my text", "# mine\n"), ("Take the other text", "# theirs\n")]
)
def test_of_two_texts_one_stays_and_the_other_is_a_version(
    open_page: OpenPage, button: str, text: str
) -> None:
    one = open_page()
    open_editor(one)
    two = open_page(path=one.url, context=one.context)
    code(two).wait_for()
    one.route("**/api/v1/drafts/*", lambda route: route.abort())
    put(one, "# mine\n")
    one.locator("#save-state[data-state=offline]").wait_for()
    put(two, "# theirs\n")
    is_saved(two)
    one.unroute("**/api/v1/drafts/*")
    dialog = one.get_by_role("dialog", name="This bot was changed in another tab")
    dialog.wait_for()
    assert dialog.locator(".diff-added").inner_text().split() == ["1", "+", "#", "mine"]
    assert dialog.locator(".diff-removed").inner_text().split() == ["1", MINUS, "#", "theirs"]
    dialog.get_by_role("button", name=button).click()
    dialog.wait_for(state="hidden")
    is_saved(one)
    assert read_code(one).startswith(text.strip())
    assert read_saved_text(one) == text
    (version,) = read_saved_draft(one)["versions"]
    number = version["number"]
    path = one.evaluate("() => location.pathname").replace("/write/", "/api/v1/drafts/")
    fetched = "(path) => fetch(path).then((answer) => answer.json())"
    other = one.evaluate(fetched, f"{path}/versions/{number}")
    assert {other["files"][0]["text"], text} == {"# mine\n", "# theirs\n"}


def test_a_text_outlives_the_session_of_its_author(open_page: OpenPage, server: Server) -> None:
    server.member("Ann")
    page = open_page("Ann")
    open_editor(page)
    page.context.clear_cookies()
    put(page, "# after the session\n")
    page.locator("#save-state[data-state=refused]").wait_for()
    assert "you may be signed out" in page.locator("#save-state").inner_text()
    address = page.url
    page.close()
    again = open_page("Ann", path=address, context=page.context)
    code(again).wait_for()
    assert read_code(again).startswith("# after the session")
    is_saved(again)


def test_files_are_added_renamed_and_removed(open_page: OpenPage, editor: str) -> None:
    page = open_page()
    open_editor(page)
    page.get_by_role("button", name="Add a file").click()
    page.get_by_label("Name", exact=True).fill("paths")
    page.keyboard.press("Enter")
    page.get_by_text("an ending such as .py").wait_for()
    page.get_by_label("Name", exact=True).fill("paths.py")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="paths.py", selected=True).wait_for()
    put(page, "WAY = 1\n")
    page.get_by_role("tab", name="player_").click()
    assert "class Player" in read_code(page)
    page.get_by_role("tab", name="paths.py").click()
    assert read_code(page).startswith("WAY = 1")
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("ways.py")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="ways.py", selected=True).wait_for()
    is_saved(page)
    assert eventually(
        lambda: [one["name"] for one in read_saved_draft(page)["files"]][-1] == "ways.py"
    )
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("tab", name="ways.py").wait_for(state="detached")
    is_saved(page)
    assert eventually(lambda: len(read_saved_draft(page)["files"]) == 1)
    assert page.errors == []


def test_a_name_that_cannot_be_is_refused_and_the_text_saved(open_page: OpenPage) -> None:
    page = open_page()
    open_editor(page)
    page.get_by_label("Name of the bot").fill("x")
    put(page, "# with a bad name\n")
    page.locator("#refused").filter(has_text="2").wait_for()
    is_saved(page)
    assert page.get_by_label("Name of the bot").input_value() == "My Slime Mind bot"
    assert read_saved_text(page) == "# with a bad name\n"


def test_a_version_is_compared_and_restored(open_page: OpenPage, editor: str) -> None:
    page = open_page()
    open_editor(page)
    put(page, "first = 1\nsecond = 2\n")
    page.get_by_role("tab", name="Versions").click()
    page.get_by_label("Note").fill("the first one")
    page.get_by_role("button", name="Keep this version").click()
    page.locator("#versions li").filter(has_text="the first one").wait_for()
    put(page, "first = 1\nsecond = 3\n")
    page.get_by_role("button", name="Compare version 1").click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".diff-removed code").inner_text() == "second = 2"
    assert dialog.locator(".diff-added code").inner_text() == "second = 3"
    dialog.get_by_role("button", name="Restore this version").click()
    assert eventually(lambda: read_code(page).startswith("first = 1\nsecond = 2"))
    page.locator("#versions li").filter(has_text="before version 1 was restored").wait_for()
    assert read_saved_text(page) == "first = 1\nsecond = 2\n"
    assert page.errors == []


def test_tab_indents_and_escape_lets_the_keyboard_out(open_page: OpenPage, editor: str) -> None:
    page = open_page()
    open_editor(page)
    put(page, "")
    page.keyboard.type("def f():")
    page.keyboard.press("Enter")
    page.keyboard.type("return 1")
    assert read_code(page).rstrip("\n") == "def f():\n    return 1"
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert read_code(page).rstrip("\n") == "def f():\n        return 1"
    page.keyboard.press("Shift+Tab")
    assert read_code(page).rstrip("\n") == "def f():\n    return 1"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not code(page).evaluate("field => field.getRootNode().activeElement === field")


def test_somebody_may_prefer_the_text_area(open_page: OpenPage) -> None:
    page = open_page()
    open_editor(page)
    is_built = page.locator("#editor textarea").count() == 0
    page.get_by_role("tab", name="Keys").click()
    if is_built:
        page.get_by_label("plain text area as editor").click()
        page.locator("#editor textarea").wait_for()
    page.reload()
    page.locator("#editor textarea").wait_for()


@pytest.mark.parametrize("is_phone", [False, True])
def test_the_page_can_be_read_by_everybody(
    open_page: OpenPage, editor: str, is_phone: bool
) -> None:
    page = open_page(**(PHONE if is_phone else {}))
    page.locator("#templates li").first.wait_for()
    assert serious(page) == []
    open_editor(page)
    assert serious(page) == []
    across, width = page.evaluate(WIDTHS)
    assert across <= width


def serious(page: Any) -> list[Any]:
    """Return what a checker of accessibility finds."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        (one["id"], [node["target"] for node in one["nodes"]])
        for one in found
        if one["impact"] in SERIOUS
    ]
