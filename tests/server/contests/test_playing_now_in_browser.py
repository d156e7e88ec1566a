"""Watching what bots play at this moment, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.play_options import PlayOptions
from server.contests.tournaments import TournamentChoices
from server.site.application import Application
from tests.server.contests.test_playing_now import Arena, Running
from tests.server.members import serving
from tests.server.serving import serving_app

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Arena, str]]:
    """Yield a ladder whose matches are to be played, and the address at which it is served."""
    folder: Path = tmp_path_factory.mktemp("playing") / "results"
    with serving(folder) as server:
        made = Arena(folder, server)
        with serving_app(
            lambda host: Application(server.game_service, [host], server.site, out=folder)
        ) as home:
            yield made, home
            server.site.end_streams()


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
    arena: tuple[Arena, str], page: Any
) -> None:
    made, home = arena
    page.goto(f"{home}/ladders/{made.ladder.id}")
    page.get_by_text("No match at this moment").wait_for()
    running = made.begin(made.waiting[0])
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
    arena: tuple[Arena, str], chromium: Any
) -> None:
    made, home = arena
    running = made.begin(made.waiting[1])
    running.show(len(running.lines) // 2)
    made.forget()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{home}/ladders/{made.ladder.id}")
    assert page.locator("#playing li").count() == 1
    context.close()
    running.end()


def test_the_page_of_a_tournament_changes_where_it_stands(
    arena: tuple[Arena, str], page: Any
) -> None:
    made, home = arena
    made.server.site.contests.player.close()  # it is played by hand here
    tournaments = made.server.site.contests.tournaments
    choices = TournamentChoices(format="single_elimination", games=1, rounds=None, table=2)
    tournaments.make("cup", made.ladder, tournaments.candidates(made.ladder.id), choices)
    tournament = tournaments.load_tournament("cup")
    assert tournament is not None
    first = next(iter(tournament.ledger()))
    page.goto(f"{home}/tournaments/cup")
    page.get_by_text("No match at this moment").wait_for()
    page.evaluate("window.isTheSame = true")
    running = Running(made.folder, tournament.field.job(first.fixture, PlayOptions()))
    running.show(len(running.lines) // 2)
    page.locator("#playing li", has_text="turn").wait_for()
    page.locator("svg", has_text="being played").wait_for()
    running.end()
    tournament.store.add(running.result)
    page.get_by_text("1 of 2 matches played").or_(page.get_by_text("1 of 2 known")).wait_for()
    assert page.evaluate("window.isTheSame")  # it was not loaded again
