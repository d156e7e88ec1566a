"""A visitor's first minute, in a real browser: watch, play, and invite a friend."""

from typing import Any

import pytest

from runners.match_request import MatchRequest
from runners.storage.database import now
from server.games.guest_pages import FRIEND_WAITS
from server.runs.run_rows import Run, State
from tests.server.conftest import Visit
from tests.server.members import Server
from tests.server.test_in_browser import slow
from tests.server.test_smack_page import PHONE
from tests.shell import eventually

pytestmark = pytest.mark.slow


SHORT = MatchRequest(game="slime_mind", preset="small", settings=("max_turns=20",))


def show(server: Server, *players: str) -> Run:
    """Have two bots play for whoever looks on."""
    exhibitions = server.site.exhibitions
    exhibitions.newest = exhibitions.exhibit(players, SHORT)
    return exhibitions.newest


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_visitor_plays_within_one_click(visit: Visit, options: dict[str, Any]) -> None:
    page = visit(**options)
    page.get_by_role("button", name="Play now Smack!").click()
    page.locator(".movable").first.wait_for(state="attached")
    page.goto("/")
    page.get_by_text("your move").wait_for()


def test_a_friend_who_sits_down_leads_the_host_into_the_game(visit: Visit) -> None:
    host = visit("/play/smack")
    host.get_by_label("Your name").fill("Zoe")
    host.get_by_label("Against").select_option("friend")
    host.get_by_role("button", name="Play").click()
    link = host.get_by_label("The link for your friend").input_value()
    host.get_by_role("button", name="Copy the link").click()
    host.get_by_text("Copied").wait_for()
    assert host.locator(".qr").is_visible()
    host.reload()  # the link stays
    assert host.get_by_label("The link for your friend").input_value() == link
    friend = visit(link, **PHONE)
    friend.get_by_label("Your name").fill("Fred")
    friend.get_by_role("button", name="Sit down and play").click()
    friend.wait_for_url("**/games/*")
    host.wait_for_url("**/games/*", timeout=3_000)
    host.locator(".movable").first.wait_for(state="attached")


def test_who_waits_for_a_friend_plays_a_bot_meanwhile_and_learns_that_the_friend_came(
    visit: Visit, server: Server
) -> None:
    host = visit("/play/smack")
    host.get_by_label("Against").select_option("friend")
    host.get_by_role("button", name="Play").click()
    link = host.get_by_label("The link for your friend").input_value()
    host.get_by_role("button", name="Play a bot meanwhile").click()
    host.locator(".movable").first.wait_for(state="attached")
    friend = visit(link)
    friend.get_by_role("button", name="Sit down and play").click()
    friend.wait_for_url("**/games/*")
    host.goto("/")
    host.get_by_text("against Friend").first.wait_for()
    host.goto("/play/smack")
    host.get_by_label("Against").select_option("friend")
    host.get_by_role("button", name="Play").click()
    host.get_by_label("The link for your friend").wait_for()
    server.site.open_games.remove_abandoned(now() + FRIEND_WAITS)  # the friend never comes
    host.get_by_text("there is no such game; perhaps it was canceled").wait_for()
    host.get_by_role("link", name="First page").click()
    host.get_by_role("button", name="Play now Smack!").wait_for()


def test_a_match_plays_on_the_first_page(visit: Visit, server: Server) -> None:
    show(server, "player_one", "player_two")
    page = visit()
    frame = page.frame_locator(".featured iframe")
    frame.locator("body.bare:not(.loading) #board").wait_for()
    frame.locator("#caption").get_by_text("Turn").wait_for()
    assert not frame.locator("#controls").is_visible()
    page.get_by_role("link", name="Slime Mind: player_one : player_two").click()
    page.locator("body:not(.loading) #deck").wait_for()


def test_the_channel_goes_on_with_the_next_match(visit: Visit, server: Server) -> None:
    first = show(server, "player_one", "player_two")
    page = visit("/channel")
    page.frame_locator("iframe").locator("body:not(.loading) #board").wait_for()
    assert eventually(lambda: first.state is State.OVER, 60)
    show(server, "player_three", "player_two")
    page.get_by_role("link", name="Slime Mind: player_three : player_two").wait_for(timeout=60_000)
    page.frame_locator("iframe").locator("body:not(.loading) #board").wait_for()


def test_the_channel_says_that_nothing_is_on(visit: Visit) -> None:
    visit("/channel").get_by_text("No match is on.").wait_for()


PAGES = (
    *("/", "/play/smack", "/channel", "/how-to-play/slime_mind", "/how-to-play/smac", "/contests"),
    *("/contests", "/players", "/sign-in", "/docs", "/docs/playing_online.md", "/nowhere"),
)
OF_MEMBERS = ("/", "/lobby", "/lobby/new?game=slime_mind", "/submit", "/me", "/notices")


@pytest.mark.variants(1, all=2)
@pytest.mark.parametrize("scheme", ["light", slow("dark")])
@pytest.mark.parametrize("options", [{}, slow(PHONE)], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_pages_of_a_server(
    visit: Visit, server: Server, scheme: str, options: dict[str, Any]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    show(server, "player_one", "player_two")
    server.member("Ann")
    found: dict[str, list[Any]] = {}
    page = visit(color_scheme=scheme, **options)
    member = visit(color_scheme=scheme, **options)
    server.sign_in(member.context, "Ann", member.url)
    for shown, paths in ((page, PAGES), (member, OF_MEMBERS)):
        for path in paths:
            shown.goto(path)
            violations = Axe().run(shown, options={"iframes": False}).response["violations"]
            sideways = shown.evaluate("document.documentElement.scrollWidth > innerWidth")
            found[path] = [(one["id"], one["nodes"][0]["target"]) for one in violations]
            found[path] += [("scrolls sideways", path)] if sideways else []
    assert {path: what for path, what in found.items() if what} == {}
