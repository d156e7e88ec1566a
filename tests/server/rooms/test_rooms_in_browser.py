"""A best of three between two browsers, from the link to the third battle."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Serve
from tests.server.members import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
BATTLE_MS = 240_000
"""Its process is niced."""


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
@pytest.mark.timeout(900)
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
    for number, (mine, theirs, score) in enumerate(
        [("Raid", "Hunt", None), ("Hunt", "Raid", "1 : 1"), ("Raid", "Hunt", None)], 1
    ):
        ann.get_by_role("heading", name=f"Your army for battle {number}").wait_for()
        seal(bob, theirs)
        ann.get_by_text(f"Battle {number} waits for the army of Ann").wait_for()
        seal(ann, mine)
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
