"""Muting, blocking and reporting, and messages with guests, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from server.identity.people import Kind
from tests.server.conftest import Visit
from tests.server.members import Browser, Server, page_text, serving
from tests.server.strangers.talking import between, say
from tests.server.test_in_browser import slow
from tests.server.test_smack_page import PHONE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("open"), registration="open") as server:
        yield server


@pytest.fixture
def server(opened: Server) -> Server:
    """Return the same server for all tests, on which visitors ask for accounts."""
    return opened


def organizer(server: Server) -> Browser:
    """Return the browser of another organizer."""
    key = server.site.people.new_link(Kind.ORGANIZER, made_by=None)
    browser = server.browser()
    number = len(server.site.people.find_all())
    assert browser.post(f"/welcome/{key}", {"name": f"Olga {number}"}).status_code == 200
    return browser


def test_a_strangers_first_message_is_announced_and_one_click_decides(
    server: Server, visit: Visit
) -> None:
    ann, bob = server.member("Zoe"), server.member("Fred")
    game = between(ann, bob, are_strangers=True)
    reader = visit(f"/games/{game}", ann)
    writer = visit(f"/games/{game}#messages", bob, **PHONE)
    writer.get_by_text("Zoe is asked first whether to read you.").wait_for()
    writer.get_by_label("Message", exact=True).fill("hello Zoe")
    writer.get_by_role("button", name="Send").click()
    reader.get_by_text("Messages (Fred would like to write to you)").click()
    assert reader.locator(".messages li").count() == 0
    reader.get_by_role("button", name="Accept Fred").click()
    reader.locator(".messages li", has_text="hello Zoe").wait_for()
    assert reader.locator(".asking button").count() == 0
    reader.get_by_role("button", name="Mute Fred").click()
    reader.get_by_role("button", name="Unmute Fred").wait_for()
    assert reader.locator(".messages li").count() == 0
    reader.get_by_role("button", name="Unmute Fred").click()
    reader.locator(".messages li").wait_for()
    reader.get_by_role("link", name="Block or report").click()
    reader.get_by_role("button", name="Block Fred").click()
    reader.get_by_text("Blocked.", exact=True).wait_for()
    writer.get_by_label("Message", exact=True).fill("are you there?")
    writer.get_by_role("button", name="Send").click()
    writer.get_by_text("nobody else here reads messages").wait_for()


def test_a_member_reports_a_message_and_an_organizer_bans_its_writer(
    server: Server, visit: Visit
) -> None:
    olga, ann, bob = organizer(server), server.member("Mia"), server.member("Tom")
    game = between(ann, bob)
    say(bob, game, "you oaf")
    page = visit(f"/games/{game}/people", ann)
    page.get_by_text("Report Tom").first.click()
    page.get_by_label("About").select_option(label="the message “you oaf”")
    page.get_by_label("In your words").fill("again")
    page.get_by_role("button", name="Report Tom").click()
    page.get_by_text("Thank you").wait_for()
    admin = visit("/admin", olga)
    admin.get_by_role("link", name="Reports 1 waiting").click()
    admin.get_by_label("Note").fill("enough")
    admin.get_by_role("button", name="Ban Tom and close").click()
    admin.get_by_text("Nothing waits.").wait_for()
    assert "banned" in page_text(olga.get("/admin"))


def test_a_visitor_asks_for_an_account_and_an_organizer_approves(
    server: Server, visit: Visit
) -> None:
    visitor = visit("/sign-in", **PHONE)
    visitor.get_by_role("link", name="Ask for one").click()
    visitor.get_by_label("Name").fill("Jon")
    visitor.get_by_label("Password").fill("correct horse")
    visitor.get_by_label("Who you are").fill("I am Jon, of the course of Tuesday")
    visitor.get_by_role("button", name="Ask for an account").click()
    visitor.get_by_role("heading", name="Thank you, Jon").wait_for()
    admin = visit("/lobby", organizer(server))
    admin.get_by_role("link", name="Organizer").click()
    admin.get_by_role("link", name="Accounts").click()
    admin.get_by_label("Jon", exact=True).check()
    admin.get_by_role("button", name="Approve the chosen").click()
    admin.get_by_text("Approved: 1.").wait_for()
    visitor.goto("/sign-in")
    visitor.get_by_label("Name").fill("Jon")
    visitor.get_by_label("Password").fill("correct horse")
    visitor.get_by_role("button", name="Sign in").click()
    visitor.get_by_role("heading", name="Welcome, Jon").wait_for()


@pytest.mark.variants(1, all=1)
@pytest.mark.parametrize("scheme", ["light", slow("dark")])
@pytest.mark.parametrize("options", [{}, slow(PHONE)], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_pages_of_strangers(
    server: Server, visit: Visit, scheme: str, options: dict[str, Any]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    olga, ann, bob = organizer(server), server.browser(), server.browser()
    number = len(server.site.people.find_all())
    asking = {"name": f"Ida {number}", "password": "correct horse", "words": "I am Ida"}
    server.browser(f"ida{number}").post("/register", asking)
    for browser, name in ((ann, "Ann"), (bob, "Bob")):
        invited = server.site.people.new_link(Kind.PERSON, made_by=None)
        browser.post(f"/welcome/{invited}", {"name": f"{name} {number}"})
    bobs = f"/people/{server.person_id(f'Bob {number}')}"
    game = between(ann, bob)
    say(bob, game, "you oaf")
    for path, fields in (
        (f"/games/{game}/people", {"do": "report", "team": "2", "reason": "insult"}),
        (bobs, {"do": "mute"}),
    ):
        ann.post(path, fields)
    board = f"/games/{game}#messages"
    found: dict[str, list[Any]] = {}
    for browser, paths in (
        (ann, ("/me", bobs, f"/games/{game}/people", board)),
        (olga, ("/admin/reports", "/admin/requests", "/admin", "/lobby")),
        (server.browser(), ("/register", "/sign-in", "/")),
    ):
        page = visit("/", browser, color_scheme=scheme, **options)
        for path in paths:
            page.goto(path)
            if path == board:
                page.locator(".movable").first.wait_for(state="attached")
            violations = Axe().run(page, options={"iframes": False}).response["violations"]
            sideways = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            found[path] = [(one["id"], one["nodes"][0]["target"]) for one in violations]
            found[path] += [("scrolls sideways", path)] if sideways else []
    assert {path: what for path, what in found.items() if what} == {}
