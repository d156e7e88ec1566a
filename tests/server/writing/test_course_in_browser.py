"""The course in a real browser: tried, judged, and the next step."""

from typing import Any

import pytest

from tests.server.members import Server
from tests.server.writing.browsing import OpenPage, code, is_saved, put

PATIENCE_MS = 150_000
STAYS = """
from engine.games.slime_mind.player import BasePlayer, Slime


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        return "MERGE"
"""
MOVES = STAYS.replace(
    'return "MERGE"',
    "for square in self.board.empty_beside(slime):\n"
    "            return self.board.direction(slime, square)\n"
    '        return "UP"',
)


@pytest.fixture
def page(open_page: OpenPage, server: Server) -> Any:
    """Return the page of somebody who begins the course."""
    server.member("Ann")
    page = open_page("Ann")
    page.get_by_role("button", name="Take the course of Slime Mind").click()
    code(page).wait_for()
    page.get_by_role("heading", name="Step 1 of 8: Move").wait_for()
    return page


def attempt(page: Any, text: str) -> Any:
    """Try a step with a text; return what came of it."""
    put(page, text)
    is_saved(page)
    page.get_by_role("button", name="Try it").click()
    came = page.locator(".came-of")
    came.wait_for(timeout=PATIENCE_MS)
    return came


def test_a_goal_that_is_met_leads_to_the_next_step(page: Any) -> None:
    assert attempt(page, STAYS).locator("li:not(.met)").count() == 1
    assert page.get_by_role("button", name="Next step").count() == 0
    came = attempt(page, MOVES)
    assert came.locator("li.met").count() == 1
    came.get_by_role("button", name="Next step").click()
    page.get_by_role("heading", name="Step 2 of 8: Eat").wait_for()
    page.get_by_role("button", name="Step 1, Move, done").wait_for()
    page.reload()
    page.get_by_role("heading", name="Step 2 of 8: Eat").wait_for()
    assert page.errors == []


def test_an_organizer_sees_who_is_where(page: Any, open_page: OpenPage, server: Server) -> None:
    attempt(page, MOVES)
    server.organizer("Olga")
    other = open_page("Olga")
    other.get_by_role("button", name="Take the course of Slime Mind").click()
    other.get_by_text("Who is where").click()
    row = other.locator("#course-table tr").filter(has_text="Ann")
    assert row.locator("td").first.inner_text() == "1"
