"""What people do while the server does not answer, in a real browser: it waits, and is sent."""

import re
import subprocess
from typing import Any

import pytest

import bootstrap
from engine.game import Act, Ask
from tests.server.conftest import Board, Serve, Visit
from tests.server.members import Server
from tests.server.test_in_browser import (
    click_move,
    decisions,
    ends,
    half_panel,
    movable,
    move_buttons,
    plies,
    square,
)
from tests.shell import Shell, eventually, free_port

pytestmark = pytest.mark.slow
QUICKLY = (
    "AbortSignal.timeout = ((real) => () => real.call(AbortSignal, 300))(AbortSignal.timeout);"
)
"""A page with this waits for an answer a moment, and no longer."""


def waiting(page: Any) -> Any:
    return page.locator("#outbox p")


def refuse_once(page: Any, path: str, *, is_taken: bool) -> None:
    """Let the next request to a path have no answer, whether the server takes it or not."""

    def lose(route: Any) -> None:
        if is_taken:
            route.fetch()
        route.abort()

    page.route(path, lose, times=1)


def move_offline(board: Board) -> Any:
    """Return the page of a game's first player, who has moved A6-B6 without a network."""
    page = board.open(1)
    movable(page, 1, "A6")
    page.context.set_offline(True)
    click_move(page, 1, "A6", "B6")
    return page


def test_a_move_made_offline_is_shown_as_waiting_and_sent_when_the_network_is_back(
    board: Board,
) -> None:
    page = board.open(1)
    movable(page, 1, "A6")
    page.context.set_offline(True)
    page.locator("#connection").get_by_text("offline").wait_for()
    click_move(page, 1, "A6", "B6")
    waiting(page).get_by_text("Waiting to be sent: A6-B6 on board 1 (you are offline)").wait_for()
    half_panel(page, 1).get_by_text("Your move waits to be sent").wait_for()
    assert plies(board) == [0, 0]
    page.context.set_offline(False)
    assert eventually(lambda: plies(board) == [1, 0])
    waiting(page).wait_for(state="detached")
    assert page.locator("#connection").inner_text() == ""
    move_buttons(page, 1).get_by_text("A6-B6").wait_for()


def test_a_move_that_comes_too_late_is_dropped_with_a_sentence(board: Board) -> None:
    page = move_offline(board)
    waiting(page).wait_for()
    board.answer(Ask(1, 1), 0, "A7-B7")  # on another device
    page.context.set_offline(False)
    half_panel(page, 1).get_by_role("alert").get_by_text(
        "The game has gone on meanwhile"
    ).wait_for()
    waiting(page).wait_for(state="detached")
    move_buttons(page, 1).get_by_text("A7-B7").wait_for()
    assert plies(board) == [1, 0]


def test_two_devices_at_one_seat_show_the_same_game(board: Board) -> None:
    one, two = (board.open(1) for _ in range(2))
    movable(two, 1, "A6").click()  # taken up here, and moved there
    click_move(one, 1, "A6", "B6")
    for page in (one, two):
        move_buttons(page, 1).get_by_text("A6-B6").wait_for()
        half_panel(page, 1).get_by_text("Ann 2 to move").wait_for()
    two.locator("g.held").wait_for(state="detached")
    board.answer(Ask(2, 1), 1, "H9-H10")
    click_move(two, 1, "A7", "B7")
    move_buttons(one, 1).get_by_text("A7-B7").wait_for()
    assert one.errors == two.errors == []


def test_what_is_agreed_to_in_a_dialog_offline_waits_and_the_dialog_says_why(board: Board) -> None:
    page = board.open(1)
    half_panel(page, 1).get_by_role("button", name="Resign").click()
    dialog = page.get_by_role("dialog")
    page.context.set_offline(True)
    dialog.get_by_role("status").get_by_text("offline").wait_for()
    dialog.get_by_role("button", name="Resign").click()
    waiting(page).get_by_text("Waiting to be sent: resign, board 1 (you are offline)").wait_for()
    assert ends(board) == ["", ""]
    page.context.set_offline(False)
    assert eventually(lambda: bool(ends(board)[0]))
    waiting(page).wait_for(state="detached")


def test_a_move_that_waits_can_be_discarded(board: Board) -> None:
    page = move_offline(board)
    waiting(page).get_by_role("button", name="Discard").click()
    waiting(page).wait_for(state="detached")
    half_panel(page, 1).get_by_text("Your turn").wait_for()
    page.context.set_offline(False)
    click_move(page, 1, "A7", "B7")
    assert eventually(lambda: plies(board) == [1, 0])


def test_another_move_takes_the_place_of_the_one_that_waits(board: Board) -> None:
    page = move_offline(board)
    waiting(page).wait_for()
    click_move(page, 1, "A7", "B7")
    waiting(page).get_by_text("A7-B7").wait_for()
    assert waiting(page).count() == 1
    page.context.set_offline(False)
    assert eventually(lambda: plies(board) == [1, 0])
    move_buttons(page, 1).get_by_text("A7-B7").wait_for()


def test_a_move_that_waits_is_sent_by_the_page_that_is_loaded_again(board: Board) -> None:
    page = board.open(1)
    page.route("**/orders", lambda route: route.abort())
    click_move(page, 1, "A6", "B6")
    waiting(page).get_by_text("the server does not answer yet").wait_for()
    page.unroute_all()
    page.reload()
    assert eventually(lambda: plies(board) == [1, 0])
    waiting(page).wait_for(state="detached")


@pytest.mark.parametrize("is_taken", [True, False])
def test_a_move_whose_answer_is_lost_is_played_once(board: Board, is_taken: bool) -> None:
    page = board.open(1)
    movable(page, 1, "A6")
    refuse_once(page, "**/orders", is_taken=is_taken)
    click_move(page, 1, "A6", "B6")
    move_buttons(page, 1).get_by_text("A6-B6").wait_for()
    waiting(page).wait_for(state="detached")
    assert plies(board) == [1, 0]
    assert half_panel(page, 1).locator(".refused").text_content() == ""


@pytest.mark.parametrize("is_taken", [True, False])
def test_a_message_whose_answer_is_lost_is_kept_once(board: Board, is_taken: bool) -> None:
    page = board.open(1)
    page.get_by_text("Messages", exact=True).click()
    refuse_once(page, "**/messages", is_taken=is_taken)
    page.get_by_label("Message", exact=True).fill("hello")
    page.get_by_role("button", name="Send").click()
    page.get_by_label("Messages").get_by_text("Ann 1: hello").wait_for()
    waiting(page).wait_for(state="detached")
    assert [each.text for each in board.service.conversations.load(board.id).messages] == ["hello"]
    assert page.get_by_label("Message", exact=True).input_value() == ""


@pytest.mark.parametrize("is_taken", [True, False])
def test_an_offer_whose_answer_is_lost_is_made_once(board: Board, is_taken: bool) -> None:
    page = board.open(1)
    offer = half_panel(page, 1).get_by_role("button", name="Offer to end")
    offer.wait_for()
    refuse_once(page, "**/acts", is_taken=is_taken)
    offer.click()
    half_panel(page, 1).get_by_text("You offer to end this board").wait_for()
    waiting(page).wait_for(state="detached")
    assert decisions(board) == 1


def test_an_offer_that_comes_after_another_move_is_not_made(board: Board) -> None:
    page = board.open(2)
    offer = half_panel(page, 1).get_by_role("button", name="Offer to end")
    offer.wait_for()
    page.context.set_offline(True)
    offer.click()
    waiting(page).get_by_text("offer to end").wait_for()
    board.answer(Ask(1, 1), 0, "A6-B6")
    page.context.set_offline(False)
    half_panel(page, 1).get_by_role("alert").get_by_text(
        "The game has gone on meanwhile"
    ).wait_for()
    assert decisions(board) == 1


def test_a_server_that_never_answers_is_waited_for_so_long_and_no_longer(board: Board) -> None:
    page = board.open(1)
    page.context.add_init_script(QUICKLY)
    page.reload()
    movable(page, 1, "A6")
    page.route("**/orders", lambda route: None, times=1)
    click_move(page, 1, "A6", "B6")
    waiting(page).get_by_text("the server does not answer yet").wait_for()
    page.unroute_all()
    assert eventually(lambda: plies(board) == [1, 0])


# -- SMAC ------------------------------------------------------------------------------------------


def centers(board: Board, *, are_legal: bool) -> list[tuple[int, int]]:
    """Return two cells apart from each other that a center may, or may not, be put on."""
    with board.session() as session:
        known, game_of = session.stepper.known[1], session.game

    def is_legal(x: int, y: int) -> bool:
        draft = game_of.draft(known, Ask(1), [["center", x, y]])
        return draft is not None and not draft.refused

    cells = [(x, y) for x in range(1, 20, 3) for y in range(1, 20, 3)]
    return [cell for cell in cells if is_legal(*cell) == are_legal][:2]


def click_cell(page: Any, x: int, y: int) -> None:
    page.locator(f"[data-square='{x}, {y}']").click()


def has_draft(page: Any) -> None:
    """Wait until the page has the draft from which clicks go on."""
    page.locator(".placement").wait_for()


def open_with_draft(board: Board) -> Any:
    """Open the page of the first player, who may click."""
    page = board.open(1)
    has_draft(page)
    return page


def draft_orders(board: Board) -> Any:
    return board.service.load_draft_orders(board.id, Ask(1))


def test_clicks_and_submitting_wait_together(board_of_smac: Board) -> None:
    page = open_with_draft(board_of_smac)
    one, two = centers(board_of_smac, are_legal=True)
    page.context.set_offline(True)
    page.locator("#connection").get_by_text("offline").wait_for()
    click_cell(page, *one)
    waiting(page).get_by_text("what you clicked").wait_for()
    click_cell(page, *two)
    page.get_by_role("button", name="Submit", exact=True).click()
    waiting(page).get_by_text("what you clicked, and then your orders").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Take back").wait_for()
    waiting(page).wait_for(state="detached")
    with board_of_smac.session() as session:
        assert session.waiting[Ask(1)].centers == (one, two)


def test_nothing_is_submitted_if_a_click_that_waited_is_refused(board_of_smac: Board) -> None:
    page = open_with_draft(board_of_smac)
    page.context.set_offline(True)
    click_cell(page, *centers(board_of_smac, are_legal=False)[0])
    waiting(page).get_by_text("what you clicked").wait_for()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.context.set_offline(False)
    page.get_by_role("alert").get_by_text("Refused:").wait_for()
    waiting(page).wait_for(state="detached")
    with board_of_smac.session() as session:
        assert session.waiting == {}


def test_clicks_that_wait_are_there_when_the_page_is_loaded_again(board_of_smac: Board) -> None:
    page = open_with_draft(board_of_smac)
    one, _ = centers(board_of_smac, are_legal=True)
    page.route("**/draft", lambda route: route.abort())
    click_cell(page, *one)
    waiting(page).get_by_text("what you clicked").wait_for()
    page.unroute_all()
    page.reload()
    waiting(page).wait_for(state="detached")
    assert eventually(lambda: draft_orders(board_of_smac) == [["center", *one]])
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("button", name="Take back").wait_for()
    with board_of_smac.session() as session:
        assert session.waiting[Ask(1)].centers == (one,)


def test_a_draft_that_could_not_be_loaded_is_asked_for_again(board_of_smac: Board) -> None:
    page = open_with_draft(board_of_smac)
    one, _ = centers(board_of_smac, are_legal=True)
    away = {"status": 503, "json": {"error": "the database is away"}}
    page.route("**/draft?*", lambda route: route.fulfill(**away), times=1)
    page.reload()
    has_draft(page)
    click_cell(page, *one)
    assert eventually(lambda: draft_orders(board_of_smac) == [["center", *one]])


def test_an_act_that_ends_a_half_is_done_once_the_network_is_back(board: Board) -> None:
    page = board.open(1)
    half_panel(page, 2).get_by_role("button", name="Resign").wait_for()
    page.context.set_offline(True)
    half_panel(page, 2).get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    waiting(page).get_by_text("resign").wait_for()
    page.context.set_offline(False)
    half_panel(page, 2).get_by_text("Over: forfeit: resigned").wait_for()
    with board.session() as session:
        assert Act(1, 2, "resign") not in session.open_acts(1)


# -- forms -----------------------------------------------------------------------------------------


def test_a_form_that_cannot_be_sent_keeps_what_was_typed(
    server: Server, serve: Serve, chromium: Any
) -> None:
    server.member("Ann", "a long password")
    home = serve(server.game_service, server.site)
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"{home}/sign-in")
        page.get_by_label("Name").fill("Ann")
        page.get_by_label("Password").fill("a long password")
        context.set_offline(True)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("alert").get_by_text("The server does not answer").wait_for()
        assert page.get_by_label("Name").input_value() == "Ann"
        context.set_offline(False)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="Welcome, Ann").wait_for()


def test_a_second_click_while_there_is_no_answer_begins_no_second_game(visit: Visit) -> None:
    page = visit("/play/smack")
    begun = list[str]()

    def lose(route: Any) -> None:
        begun.append(route.fetch(max_redirects=0).headers["location"])
        route.fulfill(status=204)  # the page stays, as it does until an answer comes

    page.route("**/play/smack", lose, times=1)
    button = page.locator("main form button[type=submit]").first
    with page.expect_response(lambda answer: answer.status == 204):
        button.click()
    button.click()
    page.wait_for_url(f"**{begun[0]}")


def test_a_bot_that_is_begun_without_an_answer_is_begun_once(server: Server, visit: Visit) -> None:
    page = visit("/docs", by=server.member("Ann"))
    page.route("**/api/v1/drafts", lambda route: route.fulfill(status=429), times=1)
    page.goto("/write")
    button = page.get_by_role("button", name="Write a bot for Slime Mind")
    button.wait_for()
    refuse_once(page, "**/api/v1/drafts", is_taken=True)
    button.click()
    page.locator("#workbench").wait_for()
    page.goto("/write?all")
    page.locator("#drafts li").first.wait_for()
    assert page.locator("#drafts li").count() == 1


# -- a server that is killed -----------------------------------------------------------------------


STARTER = "playerCode/smack/player_one.py"
SHELL_BOTS = {STARTER: (bootstrap.HOME / STARTER).read_text()}


def start_server(shell: Shell, port: int, how: str) -> tuple["subprocess.Popen[str]", str]:
    """Start a server with a game of two people; return its process and the link to both seats."""
    process = shell.start("play", "--no-browser", "--people", "2", "--port", str(port), how)
    assert process.stdout is not None
    found = re.search(r"http://\S+/games/\w+\?key=\S+", process.stdout.readline())
    assert found
    return process, found[0]


@pytest.mark.timeout(300)
def test_a_move_made_while_the_server_is_down_is_played_when_it_is_back(
    shell: Shell, chromium: Any
) -> None:
    port = free_port()
    process, link = start_server(shell, port, "--new")
    with chromium.new_context(reduced_motion="reduce") as context:
        pages = [context.new_page() for _ in range(3)]
        for page in pages:
            page.goto(link)
            link = page.url
        movable(pages[0], 1, "A6")
        process.kill()
        process.wait()
        for page in pages:
            page.locator("#connection").get_by_text("reconnecting").wait_for()
        click_move(pages[0], 1, "A6", "B6")
        waiting(pages[0]).get_by_text("the server does not answer yet").wait_for()
        start_server(shell, port, "--continue")
        for page in pages:
            move_buttons(page, 1).get_by_text("A6-B6").wait_for()
            page.locator("#connection:empty").wait_for(state="attached")
        waiting(pages[0]).wait_for(state="detached")
        assert square(pages[1], 1, "B6").get_attribute("aria-label") != "B6, empty"
