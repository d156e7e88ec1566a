"""The board for browsers that run no scripts, in a real one that runs none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.games.game_service import GameService
from tests.server.conftest import Serve
from tests.server.playing import a_game_service, no_orders, start_game
from tests.server.test_in_browser import plies

OpenBoard = Callable[..., Any]
pytestmark = pytest.mark.slow


def test_a_game_is_played_by_a_form(
    game_service: GameService, serve: Serve, open_board: OpenBoard
) -> None:
    address, game = serve(game_service), start_game(game_service)
    page = open_board(game_service, address, game, 1, java_script_enabled=False)
    page.get_by_role("link", name="Play without scripts").click()
    page.get_by_label("Order").select_option("A6-B6")
    page.get_by_role("button", name="Order").click()
    page.get_by_text("Nothing is asked of you now.").wait_for()
    assert plies(game_service, game) == [1, 0]


def test_what_is_refused_is_said_and_nothing_is_lost(
    tmp_path: Path, serve: Serve, open_board: OpenBoard
) -> None:
    game_service = a_game_service(tmp_path / "smac.sqlite", no_orders)
    address, game = serve(game_service), start_game(game_service, "smac", "pb")
    page = open_board(game_service, address, game, 1, java_script_enabled=False)
    page.goto(f"{address}/games/{game}/plain")
    orders = page.get_by_label("Orders, as JSON")
    for words, reason in (("{", "'{' is not an order"), ("[1]", "an answer must be an object")):
        orders.fill(words)
        page.get_by_role("button", name="Order").click()
        page.get_by_role("alert").get_by_text(reason).wait_for()
    orders.fill("{}")
    page.get_by_role("button", name="Order").click()
    page.wait_for_url("**/plain")
    assert page.get_by_role("alert").count() == 0
    with game_service.open_session(game) as session:
        assert len(session.log) == 1


def test_an_order_for_a_board_that_has_gone_on_is_not_taken(
    game_service: GameService, serve: Serve, open_board: OpenBoard
) -> None:
    address, game = serve(game_service), start_game(game_service)
    page, other = (
        open_board(game_service, address, game, 1, 2, java_script_enabled=False) for _ in range(2)
    )
    for tab in (page, other):
        tab.goto(f"{address}/games/{game}/plain")
    for tab, move in ((page, "A6-B6"), (other, "A7-B7")):
        tab.get_by_label("Order").first.select_option(move)
        tab.get_by_role("button", name="Order").first.click()
    other.get_by_role("alert").get_by_text("the game has gone on meanwhile").wait_for()
    assert plies(game_service, game) == [1, 0]


def test_who_has_no_seat_sees_the_board_and_no_form(
    game_service: GameService, serve: Serve, open_board: OpenBoard
) -> None:
    address, game = serve(game_service), start_game(game_service)
    page = open_board(game_service, address, game, java_script_enabled=False)
    page.goto(f"{address}/games/{game}/plain")
    page.get_by_text("Nothing is asked of you now.").wait_for()
    assert page.locator("form select").count() == 0
