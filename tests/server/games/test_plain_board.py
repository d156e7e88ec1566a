"""The board for browsers that run no scripts, in a real one that runs none."""

import pytest

from tests.server.conftest import Board
from tests.server.test_in_browser import plies

pytestmark = pytest.mark.slow


def test_a_game_is_played_by_a_form(board: Board) -> None:
    page = board.open(1, java_script_enabled=False)
    page.get_by_role("link", name="Play without scripts").click()
    page.get_by_label("Order").select_option("A6-B6")
    page.get_by_role("button", name="Order").click()
    page.get_by_text("Nothing is asked of you now.").wait_for()
    assert plies(board) == [1, 0]


def test_what_is_refused_is_said_and_nothing_is_lost(board_of_smac: Board) -> None:
    board = board_of_smac
    board.start("smac", "pb")
    page = board.open(1, java_script_enabled=False)
    page.goto(f"{board.address}/games/{board.id}/plain")
    orders = page.get_by_label("Orders, as JSON")
    for words, reason in (("{", "'{' is not an order"), ("[1]", "an answer must be an object")):
        orders.fill(words)
        page.get_by_role("button", name="Order").click()
        page.get_by_role("alert").get_by_text(reason).wait_for()
    orders.fill("{}")
    page.get_by_role("button", name="Order").click()
    page.wait_for_url("**/plain")
    assert page.get_by_role("alert").count() == 0
    with board.session() as session:
        assert len(session.log) == 1


def test_an_order_for_a_board_that_has_gone_on_is_not_taken(board: Board) -> None:
    page, other = (board.open(1, 2, java_script_enabled=False) for _ in range(2))
    for tab in (page, other):
        tab.goto(f"{board.address}/games/{board.id}/plain")
    for tab, move in ((page, "A6-B6"), (other, "A7-B7")):
        tab.get_by_label("Order").first.select_option(move)
        tab.get_by_role("button", name="Order").first.click()
    other.get_by_role("alert").get_by_text("the game has gone on meanwhile").wait_for()
    assert plies(board) == [1, 0]


def test_who_has_no_seat_sees_the_board_and_no_form(board: Board) -> None:
    page = board.open(java_script_enabled=False)
    page.goto(f"{board.address}/games/{board.id}/plain")
    page.get_by_text("Nothing is asked of you now.").wait_for()
    assert page.locator("form select").count() == 0
