"""Ladders, tournaments and what bots play at this moment, in a real browser."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.play_options import PlayOptions
from runners.storage.database import now
from tests.server.conftest import new_page
from tests.server.contests.field import ladder_in
from tests.server.contests.test_playing_now import Arena

pytestmark = pytest.mark.slow


END = datetime(2099, 5, 28, 14, tzinfo=UTC)


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = new_page(context)
    yield page
    context.close()
    assert page.errors == []


def test_a_match_appears_on_the_page_of_its_ladder_and_is_watched_to_its_end(
    served_arena: tuple[Arena, str], page: Any
) -> None:
    made, home = served_arena
    page.goto(f"{home}/ladders/{made.ladder.id}")
    page.get_by_text("No match at this moment").wait_for()
    running = made.start(made.waiting[0])
    half = len(running.lines) // 2
    row = page.locator("#playing li")
    row.wait_for()  # by itself
    assert "turn" in row.inner_text()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

    row.get_by_role("link", name="Watch").click()
    page.locator("body:not(.loading) #board").wait_for()
    page.locator("#live").get_by_text("live").wait_for()
    steps = page.evaluate("viewer.replay.steps")
    running.show(half + 4)
    page.wait_for_function("before => viewer.replay.steps > before", arg=steps)
    running.end()
    page.locator("#live").wait_for(state="hidden")
    assert page.evaluate("viewer.replay.ending.reason") == running.result.reason


def test_a_ladder_without_scripts_says_what_is_played(
    served_arena: tuple[Arena, str], chromium: Any
) -> None:
    made, home = served_arena
    running = made.start(made.waiting[1])
    made.forget()
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{home}/ladders/{made.ladder.id}")
        assert page.locator("#playing li").count() == 1
    running.end()


def test_the_page_of_a_tournament_changes_where_it_stands(
    served_arena: tuple[Arena, str], page: Any
) -> None:
    made, home = served_arena
    tournament = made.make_cup()
    first = next(iter(tournament.ledger()))
    page.goto(f"{home}/tournaments/cup")
    page.get_by_text("No match at this moment").wait_for()
    page.evaluate("window.isTheSame = true")
    running = made.begin(tournament.field.make_job(first.fixture, PlayOptions()))
    page.locator("#playing li", has_text="turn").wait_for()
    page.locator("svg", has_text="being played").wait_for()
    running.end()
    tournament.store.add(running.result)
    page.get_by_text("1 of 2 matches played").or_(page.get_by_text("1 of 2 known")).wait_for()
    assert page.evaluate("window.isTheSame")  # it was not loaded again


def test_a_visitor_finds_a_bot_and_watches_a_match(
    served_arena: tuple[Arena, str], page: Any
) -> None:
    made, home = served_arena
    first, *_ = [made.play(fixture) for seed in (8, 9) for fixture in made.draw_set(seed)]
    page.goto(f"{home}/ladders")
    page.get_by_role("link", name="Spring", exact=True).click()
    rows = page.locator("#table tbody tr")
    assert rows.count() == 2
    page.get_by_label("Filter").fill("BOB")
    page.get_by_text("1 of 2").wait_for()
    assert [row.is_visible() for row in rows.all()].count(True) == 1
    page.get_by_label("Filter").fill("")
    page.get_by_role("link", name="ann", exact=True).click()
    page.get_by_role("heading", name="ann").wait_for()
    assert page.locator(".maps li").count() >= 2
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.goto(f"{home}/matches/{first.public_id}")
    page.get_by_role("link", name="Watch").click()
    page.wait_for_function("() => document.querySelector('canvas, #board, svg') !== null")
    page.get_by_text("connecting").wait_for(state="detached")


def test_times_are_the_readers_own_and_the_servers_on_hover_and_without_scripts(
    served_arena: tuple[Arena, str], chromium: Any
) -> None:
    made, home = served_arena
    far = ladder_in(made.database, name="Far", ends_at=END)
    near = ladder_in(made.database, name="Near", ends_at=now() + timedelta(hours=3, minutes=10))
    with chromium.new_context(base_url=home, timezone_id="America/New_York") as browser:
        page = browser.new_page()
        page.goto(f"/contests/{far.id}")
        shown = page.locator("time.relative")
        assert shown.inner_text() == "2099-05-28 10:00 EDT"
        assert shown.get_attribute("title") == "2099-05-28 14:00 UTC"
        page.goto(f"/contests/{near.id}")
        assert page.locator("time.relative").inner_text().endswith("(in 3 hours)")
    with chromium.new_context(base_url=home, java_script_enabled=False) as browser:
        page = browser.new_page()
        page.goto(f"/contests/{far.id}")
        assert page.locator("time.relative").inner_text() == "2099-05-28 14:00 UTC"
