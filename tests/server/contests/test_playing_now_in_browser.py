"""Watching what bots play at this moment, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.play_options import PlayOptions
from tests.server.contests.test_playing_now import Arena, Running

pytestmark = pytest.mark.slow


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def test_a_match_appears_on_the_page_of_its_ladder_and_is_watched_to_its_end(
    served_arena: tuple[Arena, str], page: Any
) -> None:
    made, home = served_arena
    page.goto(f"{home}/ladders/{made.ladder.id}")
    page.get_by_text("No match at this moment").wait_for()
    running = made.start(made.waiting[0])
    half = len(running.lines) // 2
    running.show(half)
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
    running.show(len(running.lines) // 2)
    made.forget()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{home}/ladders/{made.ladder.id}")
    assert page.locator("#playing li").count() == 1
    context.close()
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
    running = Running(made.folder, tournament.field.make_job(first.fixture, PlayOptions()))
    running.show(len(running.lines) // 2)
    page.locator("#playing li", has_text="turn").wait_for()
    page.locator("svg", has_text="being played").wait_for()
    running.end()
    tournament.store.add(running.result)
    page.get_by_text("1 of 2 matches played").or_(page.get_by_text("1 of 2 known")).wait_for()
    assert page.evaluate("window.isTheSame")  # it was not loaded again
