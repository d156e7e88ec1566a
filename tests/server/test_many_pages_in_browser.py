"""Many pages of one browser, in a real one: they share a stream, and all hear of every move."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.game import Act
from server.games.game_service import GameService
from server.http.errors import NoSuchGame
from tests.server.conftest import NewContext, Serve, new_page
from tests.server.games.test_watching import play
from tests.server.playing import start_game
from tests.server.test_in_browser import board_squares, click_move, half_panel, move_buttons
from tests.shell import QUICK, SLEEPER, WALKER, Shell, eventually
from tests.test_watching_in_browser import BOTS, PATIENCE_S, Match

pytestmark = pytest.mark.slow
PAGES = 10
"""More than the six connections that a browser has to a server."""
HIDDEN = """
let isHidden = false;
Object.defineProperty(document, "hidden", { get: () => isHidden });
window.hide = (value) => {
  isHidden = value;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
WAYS = {
    "a shared worker": "",
    "an elected page": "delete window.SharedWorker;",
    "streams of their own": "delete window.SharedWorker; delete window.BroadcastChannel;",
}
"""How pages have their stream, by what a browser has not."""
OpenPages = Callable[..., list[Any]]


@pytest.fixture
def open_pages(new_context: NewContext) -> OpenPages:
    """Open pages of several games in one browser, which has a seat in each."""

    def open_them(
        game_service: GameService, address: str, games: list[str], way: str, *teams: int
    ) -> list[Any]:
        context = new_context()
        context.add_init_script(HIDDEN + WAYS[way])
        pages = []
        for game in games:
            page = new_page(context)
            key = f"?key={game_service.keys.new_key(game, teams)}" if teams else ""
            page.goto(f"{address}/games/{game}{key}")
            pages.append(page)
        return pages

    return open_them


@pytest.mark.parametrize("way", ["a shared worker", "an elected page"])
def test_ten_pages_of_one_browser_load_and_a_move_reaches_all_of_them(
    game_service: GameService, serve: Serve, open_pages: OpenPages, way: str
) -> None:
    address, game = serve(game_service), start_game(game_service)
    pages = open_pages(game_service, address, [game] * PAGES, way, 1, 2)
    for page in pages:
        board_squares(page).locator(".movable").first.wait_for()
    click_move(pages[-1], 1, "A6", "B6")
    for page in pages:
        page.get_by_text("A6-B6").first.wait_for()
        assert page.errors == []


@pytest.mark.parametrize("way", ["a shared worker", "an elected page"])
def test_hidden_pages_of_ten_games_change_their_titles(
    game_service: GameService, serve: Serve, open_pages: OpenPages, way: str
) -> None:
    address, games = serve(game_service), [start_game(game_service) for _ in range(PAGES)]
    for game in games:
        play(game_service, game, 1, board=1)  # team 2 is to move on board 1
        play(game_service, game, 1, board=2)  # and team 1 on board 2
        game_service.perform_act(game, Act(1, 2, "resign"))
    pages = open_pages(game_service, address, games, way, 1)
    for page in pages:
        half_panel(page, 1).locator(".token").wait_for()
        page.evaluate("hide(true)")
        assert not page.title().startswith("●")
    for game in games:
        play(game_service, game, 1, board=1)
    for page in pages:
        assert eventually(lambda: page.title().startswith("● Your move"))  # noqa: B023
        assert page.errors == []


@pytest.mark.parametrize("way", ["a shared worker", "an elected page"])
def test_the_others_go_on_when_the_page_that_came_first_is_closed(
    game_service: GameService, serve: Serve, open_pages: OpenPages, way: str
) -> None:
    address, games = serve(game_service), [start_game(game_service) for _ in range(3)]
    first, *others = open_pages(game_service, address, games, way)
    for page in (first, *others):
        half_panel(page, 1).wait_for()
    first.close()
    for game, page in zip(games[1:], others, strict=True):
        play(game_service, game)
        move_buttons(page, 1).first.wait_for()


def test_a_page_without_the_others_has_a_stream_while_it_can_be_seen(
    game_service: GameService, serve: Serve, open_pages: OpenPages
) -> None:
    address, game = serve(game_service), start_game(game_service)
    one, two = open_pages(game_service, address, [game] * 2, "streams of their own", 1, 2)
    for page in (one, two):
        board_squares(page).locator(".movable").first.wait_for()
    two.evaluate("hide(true)")
    play(game_service, game)
    move_buttons(one, 1).first.wait_for()
    assert move_buttons(two, 1).count() == 0
    two.evaluate("hide(false)")
    move_buttons(two, 1).first.wait_for()


def test_a_page_that_watches_and_one_that_plays_share_a_stream(
    game_service: GameService, serve: Serve, open_pages: OpenPages
) -> None:
    address, game = serve(game_service), start_game(game_service)
    (board,) = open_pages(game_service, address, [game], "a shared worker", 1, 2)
    watching = [board.context.new_page() for _ in range(PAGES)]
    for page in watching:
        page.goto(f"{address}/games/{game}/watch")
        page.wait_for_selector("body:not(.loading)")
    click_move(board, 1, "A6", "B6")
    for page in watching:
        assert eventually(lambda: page.evaluate("viewer.cursor.position") == 1)  # noqa: B023


def test_who_takes_a_seat_on_one_page_has_it_on_the_other_from_the_next_event_on(
    game_service: GameService, serve: Serve, open_pages: OpenPages
) -> None:
    address, game = serve(game_service), start_game(game_service)
    (page,) = open_pages(game_service, address, [game], "a shared worker")
    half_panel(page, 1).wait_for()
    assert page.get_by_role("button", name="Resign").count() == 0
    other = page.context.new_page()
    other.goto(f"{address}/games/{game}?key={game_service.keys.new_key(game, [1])}")
    for each in (page, other):
        each.get_by_role("button", name="Resign").first.wait_for()


def test_a_match_of_the_command_line_is_watched_by_many_pages_and_ends_with_the_last(
    tmp_path: Path, chromium: Any
) -> None:
    shell = Shell(tmp_path)
    shell.bot("player_sleeper.py", SLEEPER)
    shell.bot("player_walker.py", WALKER)
    match = Match(shell, *BOTS, *QUICK)
    try:
        with chromium.new_context() as context:
            address = match.address
            for _ in range(PAGES):
                page = context.new_page()
                page.goto(address)
                page.wait_for_selector("body:not(.loading)")
                address = page.url
            for page in context.pages[1:]:
                page.close()
            assert match.process.poll() is None
        out, _ = match.process.communicate(timeout=PATIENCE_S)
    finally:
        match.close()
    assert match.process.returncode == 0
    assert "player_sleeper" in out


def test_a_page_is_told_why_the_server_refuses_its_stream(
    game_service: GameService, serve: Serve, open_pages: OpenPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.http.event_streams.MAX_TOPICS", 0)
    address, game = serve(game_service), start_game(game_service)
    (page,) = open_pages(game_service, address, [game], "a shared worker")
    page.get_by_role("alert").get_by_text("2 topics; expected 1 to 0").wait_for()
    page.locator("#connection").get_by_text("reconnecting").wait_for()


def test_a_page_of_a_game_that_is_gone_is_told_so(
    game_service: GameService, serve: Serve, open_pages: OpenPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, game = serve(game_service), start_game(game_service)
    (page,) = open_pages(game_service, address, [game], "a shared worker")
    half_panel(page, 1).wait_for()
    monkeypatch.setattr(game_service, "open_session", raise_no_such_game)
    game_service.announce_change(game)
    page.get_by_role("alert").get_by_text("there is no such game").wait_for()
    page.locator("#connection").get_by_text("not connected").wait_for()


def raise_no_such_game(game_id: str) -> Any:
    raise NoSuchGame(game_id)
