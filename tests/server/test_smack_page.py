"""What the page of Smack! shows, in a real browser, of one person at both seats."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Board
from tests.server.test_in_browser import BY_TOUCH, board_squares, click_move, move_buttons
from tests.views.contrast import faint_in_either_theme

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


class Table:
    """A page with both boards."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.locator(".movable").first.wait_for()

    def half(self, number: int = 1) -> Any:
        return self.page.locator(f".half[data-number='{number}']")

    def square(self, name: str, half: int = 1) -> Any:
        return self.page.locator(f"[data-board='{half}'] [data-square={name}]")

    def wait_for_moves(self, moves: int, half: int = 1) -> list[str]:
        """Return the moves of a half, once there are so many in the page's list."""
        entries = move_buttons(self.page, half)
        entries.nth(moves - 1).wait_for(state="attached")
        # The picture and what may be ordered come each by itself.
        half_panel = self.page.locator(f".half[data-number='{half}'][data-ply='{moves}']")
        half_panel.wait_for(state="attached")  # a phone shows one of the boards
        return [str(text) for text in entries.all_text_contents()]

    def type(self, move: str) -> None:
        self.half().get_by_label("Move").fill(move)
        self.page.keyboard.press("Enter")

    def press(self, half: int, button: str) -> None:
        self.half(half).get_by_role("button", name=button).click()


@pytest.fixture
def table(request: pytest.FixtureRequest, board: Board) -> Iterator[Table]:
    """A table; errors of its page fail the test in the end."""
    page = board.open(1, 2, **getattr(request, "param", {}))
    yield Table(page)
    assert page.errors == []


@pytest.mark.slow
def test_the_legal_moves_of_a_piece_are_shown_until_it_is_put_back(table: Table) -> None:
    hints = board_squares(table.page).locator("circle")
    table.square("A6").click()
    assert hints.count() == 21  # rules 9.2
    table.page.keyboard.press("Escape")
    assert hints.count() == 0


@pytest.mark.slow
def test_a_piece_that_is_dropped_beside_the_board_stands_where_it_stood(table: Table) -> None:
    piece, mouse = table.square("K1"), table.page.mouse
    piece.hover()
    mouse.down()
    mouse.move(5, 5, steps=40)
    mouse.up()
    assert piece.get_attribute("aria-label") == "K1, Team 1\u2019s nerd, picked up"
    table.square("K2").click()
    assert table.wait_for_moves(1) == ["K1-K2"]


@pytest.mark.slow
def test_a_captured_piece_is_at_the_nurses_and_its_capture_is_said(table: Table) -> None:
    table.type("f1 f6")
    table.wait_for_moves(1)
    table.square("G7").click()
    table.square("G6").hover()
    assert (
        board_squares(table.page).locator("[role=gridcell].victim").get_attribute("data-square")
        == "F6"
    )
    table.square("G6").click()
    assert table.wait_for_moves(2) == ["F1-F6", "G7-G6xF6"]
    assert "G7 to G6, captures F6" in table.page.locator("#said").text_content()


def normalize_spaces(text: str) -> str:
    """Return a text with plain spaces alone."""
    return " ".join(text.split())


@pytest.mark.slow
def test_the_end_says_who_won_and_why(table: Table) -> None:
    table.press(1, "Team 1: offer to end")
    table.page.get_by_role("button", name="Accept").click()
    table.press(2, "Team 1: resign")
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Resign").click()
    dialog.get_by_role("link", name="New opponent").wait_for()
    assert normalize_spaces(dialog.get_by_role("heading").inner_text()) == "Ann 2 wins, 32 : 0"
    rows = [normalize_spaces(row) for row in dialog.locator("p:not(.connection)").all_inner_texts()]
    assert rows[:3] == [
        "Ann 1 forfeited a board, which gives all its 32 points away",
        "Board 1: Ann 1 0 : 0 Ann 2, ended by agreement",
        "Board 2: Ann 2 32 : 0 Ann 1, Ann 1 forfeited: resigned",
    ]


@pytest.mark.slow
def test_every_dialog_can_be_read_in_both_themes(table: Table, tmp_path: Path) -> None:
    page, dialog = table.page, table.page.get_by_role("dialog")
    faint = faint_in_either_theme(page, "board", tmp_path)
    page.keyboard.press("?")
    dialog.wait_for()
    faint += faint_in_either_theme(page, "help", tmp_path)
    page.keyboard.press("Escape")
    table.press(1, "Team 1: offer to end")
    faint += faint_in_either_theme(page, "offer", tmp_path)
    table.page.get_by_role("button", name="Accept").click()
    table.press(2, "Team 1: resign")
    faint += faint_in_either_theme(page, "question", tmp_path)
    dialog.get_by_role("button", name="Resign").click()
    dialog.get_by_role("link", name="New opponent").wait_for()
    faint += faint_in_either_theme(page, "result", tmp_path)
    background = "(dialog) => getComputedStyle(dialog).backgroundColor"
    panel = "() => getComputedStyle(document.querySelector('.card')).backgroundColor"
    assert dialog.evaluate(background) == page.evaluate(panel)
    dialog.get_by_role("button", name="See the board").click()
    faint += faint_in_either_theme(page, "end", tmp_path)
    assert faint == []


@pytest.mark.parametrize("table", [PHONE], indirect=True, ids=["phone"])
def test_a_phone_shows_one_board_and_a_board_that_ends_leaves_its_room(table: Table) -> None:
    page, boards = table.page, table.page.get_by_role("group", name="Boards")
    for place in (board_squares(page, 2), table.half(2)):
        place.wait_for(state="hidden")
    boards.get_by_role("button", name="Board 2: your turn, 0 : 0").tap()
    for place in (board_squares(page, 1), table.half(1)):
        place.wait_for(state="hidden")
    table.square("A6", 2).tap()
    table.square("B6", 2).tap()
    assert table.wait_for_moves(1, 2) == ["A6-B6"]
    table.half(2).get_by_text("Team 1: move a bully").wait_for()
    for place in (board_squares(page, 2), table.half(2)):  # whose turn it is stands with the board
        box = place.bounding_box()
        assert 0 <= box["y"] <= 844 - box["height"]
    table.press(2, "Team 1: resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    boards.get_by_role("button", name="✓ Board 2, 0 : 32").wait_for()
    board_squares(page, 2).wait_for(state="hidden")
    assert board_squares(page, 1).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_board_that_ends_leaves_its_room_to_the_other_on_any_screen(table: Table) -> None:
    page, boards = table.page, table.page.get_by_role("group", name="Boards")
    small = board_squares(page, 2).bounding_box()["width"]
    boards.wait_for(state="hidden")
    table.press(1, "Team 1: resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    board_squares(page, 1).wait_for(state="hidden")
    assert board_squares(page, 2).bounding_box()["width"] > 1.2 * small
    boards.get_by_role("button", name="✓ Board 1, 0 : 32").click()
    board_squares(page, 2).wait_for(state="hidden")
    boards.get_by_role("button", name="Board 2").click()
    table.square("A6", 2).click()
    table.square("B6", 2).click()
    assert table.wait_for_moves(1, 2) == ["A6-B6"]


@pytest.mark.slow
def test_one_looks_back_and_comes_back_to_the_present(table: Table) -> None:
    page, past = table.page, table.page.locator("#past")
    table.type("f1 f6")
    table.wait_for_moves(1)
    table.square("G7").click()
    table.square("G6").click()
    table.wait_for_moves(2)
    page.locator("#moves button").first.click()
    past.get_by_text("You are looking at an earlier moment.").wait_for()
    table.square("F6").click()  # inspects: of the past nothing can be ordered
    page.locator("#inspector h2").get_by_text("nerd F6").wait_for()
    assert board_squares(page).locator("circle").count() == 0
    past.get_by_role("button", name="Back to now").click()
    past.wait_for(state="hidden")
    table.square("A6").click()
    assert board_squares(page).locator("circle").count() > 10


@pytest.mark.slow
def test_the_controls_are_a_row_of_arrows_and_unfold_after_the_end(table: Table) -> None:
    page, deck = table.page, table.page.locator("#deck")
    arrows = deck.locator("#controls button:visible")
    names = ["Restart", "One step back", "One step forward", "To the end"]
    assert [one.get_attribute("aria-label") for one in arrows.all()] == names
    assert {one.bounding_box()["height"] for one in arrows.all()} == {32}
    assert deck.bounding_box()["height"] < 50
    for half in (1, 2):
        table.press(half, "Team 1: resign")
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="See the board").click()
    deck.locator("[data-action=play]").wait_for()
    assert arrows.count() > 8


@pytest.mark.slow
def test_the_first_game_of_a_kind_shows_what_is_where_once(table: Table) -> None:
    page, tour = table.page, table.page.locator("#tour")
    for step in range(1, 6):
        tour.get_by_text(f"{step} of 5").wait_for()
        assert page.locator(".toured").count() == 1
        tour.locator(".primary").click()
    assert tour.count() == page.locator(".toured").count() == 0
    page.reload()
    page.locator(".movable").first.wait_for()
    assert tour.count() == 0


@pytest.mark.slow
def test_the_help_says_the_aim_first_and_how_pieces_move_in_four_pictures(table: Table) -> None:
    table.page.get_by_role("button", name="Help").click()
    dialog = table.page.get_by_role("dialog")
    assert dialog.locator("p").first.inner_text().startswith("Send more pieces to the nurse")
    assert dialog.get_by_role("img").count() == 4
    assert dialog.evaluate("(dialog) => dialog.scrollTop") == 0


@pytest.mark.slow
def test_an_offer_that_is_not_taken_is_said_to_be(table: Table) -> None:
    table.press(1, "Team 1: offer to end")
    notice = table.half().locator(".notice")
    table.page.locator("#players").get_by_text("Ann 1 offers to end board 1.").wait_for()
    table.type("f1 f6")
    table.wait_for_moves(1)
    table.type("g7 g6")
    notice.get_by_text("Team 2 did not take the offer of Team 1 to end this board.").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("square", ["H9", "C8"])
def test_a_click_on_what_cannot_be_moved_says_why(table: Table, square: str) -> None:
    table.square(square).click()
    words = {
        "H9": "H9 is not yours: you move the nerds here.",
        "C8": "Nothing of yours stands on C8: choose one of your nerds first.",
    }
    table.half().get_by_role("alert").get_by_text(words[square]).wait_for()


@pytest.mark.slow
def test_moves_are_counted_and_their_end_is_announced(board: Board) -> None:
    board.start(ply_limit=21)
    page = board.open(1, 2)
    limits = page.locator(".half[data-number='1'] .limits")
    limits.get_by_text("Move 1 of 21, 0 of 100 without a capture.").wait_for()
    click_move(page, 1, "A6", "B6")
    said = "Move 2 of 21, 1 of 100 without a capture: this board ends after 20 more."
    limits.get_by_text(said).wait_for()
    assert page.errors == []


@BY_TOUCH
@pytest.mark.slow
def test_a_whole_game_is_played_by_touch(board: Board, options: dict[str, Any]) -> None:
    board.start(ply_limit=2)
    page = board.open(1, 2, **options)
    table = Table(page)
    moves = {1: [("A6", "B6"), ("H9", "H10")], 2: [("P9", "O9"), ("G8", "F8")]}
    for half, both in moves.items():
        for ply, (source, target) in enumerate(both, 1):
            table.square(source, half).tap()
            table.square(target, half).tap()
            assert len(table.wait_for_moves(ply, half)) == ply
    page.get_by_role("dialog").get_by_role("heading").get_by_text("A draw").wait_for()
    assert page.errors == []
