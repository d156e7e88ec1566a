"""Rooms in browsers: from the link to the third battle, what comes after, and axe."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.rooms.battles import Battles
from server.rooms.rooms import Phase, ready_armies
from tests.server.conftest import Serve
from tests.server.members import Server
from tests.shell import eventually

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PASSWORD = "long enough for Ann"
SIZES = ((1280, "light"), (390, "dark"))
BATTLE_MS = 600_000  # beside a busy suite a battle takes its time


def seal(page: Any, army: str) -> None:
    page.locator("#army").select_option(army)
    page.get_by_role("button", name="Seal this army").click()
    page.get_by_text(f"{army} is sealed").or_(page.locator("iframe")).first.wait_for()


def see_battle(page: Any, number: int) -> None:
    """Watch a battle, and be told how it ended only when one asks."""
    page.frame_locator(f"iframe[title='Battle {number}']").locator(
        "body:not(.loading) #board"
    ).wait_for(timeout=BATTLE_MS)
    page.get_by_role("link", name="see what came of it").click(timeout=BATTLE_MS)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_two_browsers_come_from_a_link_to_the_third_battle(
    server: Server, serve: Serve, chromium: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("server.rooms.rooms.secrets.randbits", lambda bits: 7)
    home = serve(server.game_service, server.site)
    ann, bob = (
        chromium.new_context(base_url=home, reduced_motion="reduce", **options).new_page()
        for options in ({"viewport": {"width": 1280, "height": 800}}, PHONE)
    )
    ann.goto("/rooms/new")
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Begin").click()
    bob.goto(ann.get_by_label("The link for your friend").input_value())
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down and play").click()
    for number, (own, other, score) in enumerate(
        [("Raid", "Hunt", None), ("Hunt", "Raid", "1 : 1"), ("Raid", "Hunt", None)], 1
    ):
        ann.get_by_role("heading", name=f"Your army for battle {number}").wait_for()
        seal(bob, other)
        ann.get_by_text(f"Battle {number} waits for your army").wait_for()
        seal(ann, own)
        for page in (ann, bob):
            see_battle(page, number)
        if score is not None:
            assert ann.locator(".score").inner_text() == score
    ann.locator("h2").filter(has_text="won").first.wait_for()
    assert sorted(ann.locator(".score").inner_text().split(" : ")) == ["1", "2"]
    for page in (ann, bob):
        assert page.locator(".battles li").count() == 3
        page.screenshot(path=tmp_path / "over.png", full_page=True)
        scrolled, wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert scrolled <= wide
        page.context.close()


@pytest.fixture
def home(server: Server, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> str:
    """Serve rooms whose battles wait until they are asked for."""
    monkeypatch.setattr(Battles, "start", lambda self: None)
    return serve(server.game_service, server.site)


@pytest.fixture
def page(home: str, chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(base_url=home, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def make_room(page: Any, against: str) -> str:
    """Make a room of a guest; return its id."""
    page.goto("/rooms/new")
    page.get_by_label("Against").select_option(against)
    page.get_by_role("button", name="Begin").click()
    page.locator("#army").wait_for()
    return str(page.url).rpartition("/")[2]


@pytest.mark.slow
def test_after_the_last_battle_an_army_goes_to_the_ladder_of_bots(
    server: Server, page: Any
) -> None:
    server.member("Ann", PASSWORD)
    room = make_room(page, "friend")
    with server.site.rooms.rooms.change_room(room) as changed:
        changed.seats[0].last = ready_armies("small")[0]
        changed.close("so")
    page.reload()
    page.get_by_role("link", name="Sign in to hand Raid in").click()
    page.get_by_label("Name").fill("Ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Hand Raid in").click()
    page.get_by_role("heading", name="Raid, version 1").wait_for()


def check_with_axe(page: Any, phase: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for width, scheme in SIZES:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = [
            (each["id"], each["impact"], [node["target"] for node in each["nodes"]][:5])
            for each in Axe().run(page).response["violations"]
        ]
        scrolled, wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert (found, scrolled <= wide) == ([], True), (phase, width, scheme)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_axe_finds_nothing_in_any_phase_of_a_room(server: Server, page: Any) -> None:
    rooms = server.site.rooms
    page.goto("/rooms/new")
    check_with_axe(page, "new")
    room = make_room(page, "friend")
    check_with_axe(page, "open")
    page.get_by_role("button", name="Let a bot play instead").click()
    page.get_by_text("waits for your army").wait_for()
    check_with_axe(page, "designing")
    page.get_by_role("button", name="Seal this army").click()
    page.get_by_text("is being played").wait_for()
    rooms.battles.go_on()
    page.frame_locator("iframe").locator("body:not(.loading) #board").wait_for(timeout=BATTLE_MS)
    check_with_axe(page, "battle")

    def is_over() -> bool:
        rooms.battles.go_on()
        found = rooms.rooms.find(room)
        return found is not None and found.phase is not Phase.BATTLE

    assert eventually(is_over, BATTLE_MS / 1000)
    page.get_by_role("link", name="see what came of it").click()
    page.frame_locator("iframe").locator("body:not(.loading) #board").wait_for()
    check_with_axe(page, "disclosed")
    page.goto(f"/rooms/{room}/battles/1/watch")
    page.locator("body:not(.loading) #board").wait_for()
    check_with_axe(page, "battle that is over")
    page.goto(f"/rooms/{room}")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("heading", name="has left").wait_for()
    check_with_axe(page, "over")
