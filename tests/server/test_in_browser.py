"""People at the board, in a real browser."""

from typing import Any

import pytest

from engine.game import Act
from engine.games.smack import rules
from tests.server.conftest import Board
from tests.server.playing import read_plies
from tests.shell import eventually

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
AT_200_PERCENT = {"viewport": {"width": 640, "height": 400}, "has_touch": True}
BY_TOUCH = pytest.mark.parametrize("options", [PHONE, AT_200_PERCENT], ids=["phone", "at_200_%"])
IS_CUT_OFF = "[...document.querySelectorAll('aside')].some((a) => a.scrollWidth > a.offsetWidth)"
SERIOUS = ("serious", "critical")


def slow(value: Any) -> Any:
    return pytest.param(value, marks=pytest.mark.slow)


def half_panel(page: Any, number: int) -> Any:
    """Return the panel of a board of Smack!."""
    return page.locator(f".half[data-number='{number}']")


def board_squares(page: Any, number: int = 1) -> Any:
    """Return the squares of a board."""
    return page.locator(f"[data-board='{number}']")


def move_buttons(page: Any, number: int) -> Any:
    """Return the listed moves of a board of Smack!."""
    return page.locator(f"#moves > div:nth-child({number}) li button")


def square(page: Any, half: int, name: str) -> Any:
    return board_squares(page, half).locator(f"[data-square='{name}']")


def movable(page: Any, half: int, name: str) -> Any:
    """Return a square once the page knows that its piece may be moved.

    That a move is stored says nothing of the pages that have yet to be told of it.
    """
    piece = square(page, half, name).and_(page.locator(".movable"))
    piece.wait_for()
    return piece


def click_move(page: Any, half: int, source: str, target: str) -> None:
    movable(page, half, source).click()
    square(page, half, target).click()


def drag_move(page: Any, half: int, source: str, target: str) -> None:
    movable(page, half, source).drag_to(square(page, half, target))


def plies(board: Board) -> list[int]:
    return read_plies(board.service, board.id)


def ends(board: Board) -> list[str]:
    with board.session() as session:
        return [half.ending for half in session.stepper.state.halves]


@pytest.mark.slow
def test_two_people_play_a_whole_game_to_agreement_on_both_halves(board: Board) -> None:
    green = board.open(1)
    orange = board.open(2)
    click_move(green, 1, "A6", "B6")
    assert eventually(lambda: plies(board) == [1, 0])
    click_move(orange, 1, "H9", "H10")
    assert eventually(lambda: plies(board) == [2, 0])
    half_panel(orange, 2).get_by_label("Move").fill("f1-g2")
    half_panel(orange, 2).get_by_role("button", name="Play").click()
    assert eventually(lambda: plies(board) == [2, 1])
    movable(green, 2, "G7").hover()
    green.locator("#tip").get_by_text("bully G7").wait_for()
    drag_move(green, 2, "G7", "G6")
    green.locator("#tip").wait_for(state="hidden")  # that is no longer where it stands
    assert eventually(lambda: plies(board) == [2, 2])
    for half in (1, 2):
        half_panel(green, half).get_by_role("button", name="Offer to end").click()
        orange.locator("#players").get_by_text(f"to end board {half}.").wait_for()
        orange.get_by_role("button", name="Accept").click()
    assert eventually(lambda: ends(board) == [rules.AGREEMENT] * 2)
    for page in (green, orange):
        page.get_by_text("draw", exact=False).first.wait_for()
        assert page.errors == []


@pytest.mark.slow
def test_a_refused_move_shows_its_reason_and_loses_nothing(board: Board) -> None:
    page = board.open(1)
    typed = half_panel(page, 1).get_by_label("Move")
    typed.fill("A6-A9")
    typed.press("Enter")
    half_panel(page, 1).get_by_role("alert").get_by_text("A6-A9").wait_for()
    assert typed.input_value() == "A6-A9"
    assert plies(board) == [0, 0]


FILES = "ABCDEFGHJKLMNOP"
FOCUSED = """() => {
    const { dataset } = document.activeElement;
    const board = document.activeElement.closest("[data-board]");
    return board && dataset.square ? [Number(board.dataset.board), dataset.square] : [0, ""];
}"""


def tab_to_board(page: Any, half: int) -> str:
    """Press Tab until a square of that board has the focus; return which one."""
    for _ in range(60):
        number, name = page.evaluate(FOCUSED)
        if number == half:
            return str(name)
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to board {half}")


def walk(page: Any, source: str, target: str) -> None:
    """Move the focus with the arrow keys, along the middle of the board."""

    def place(name: str) -> tuple[int, int]:
        return FILES.index(name[0]), int(name[1:])

    (x, y), (to_x, to_y) = place(source), place(target)
    across = ("ArrowRight" if to_x > x else "ArrowLeft",) * abs(to_x - x)
    along = ("ArrowUp" if to_y > y else "ArrowDown",) * abs(to_y - y)
    # Corners are no part of the board: go first where there is room.
    keys = (*along, *across) if abs(y - 8) > abs(x - 7) else (*across, *along)
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.slow
def test_the_keyboard_alone_plays_a_whole_game(board: Board) -> None:
    board.start(ply_limit=2)
    page = board.open(1, 2)  # two people at one screen
    square(page, 1, "A6").wait_for()
    moves = {1: [("A6", "B6"), ("H9", "H10")], 2: [("P9", "O9"), ("G8", "F8")]}
    for half in (1, 2):
        for ply, (source, target) in enumerate(moves[half], 1):
            walk(page, tab_to_board(page, half), source)
            page.keyboard.press("Enter")
            walk(page, source, target)
            page.keyboard.press(" ")
            assert eventually(lambda: plies(board)[half - 1] == ply)  # noqa: B023
            move_buttons(page, half).nth(ply - 1).wait_for(state="attached")
    assert ends(board) == [rules.PLY_LIMIT] * 2
    page.locator("#said").get_by_text("G8 to F8").wait_for(state="attached")
    assert page.errors == []


@pytest.mark.slow
def test_a_bots_answer_and_a_friends_move_come_without_reloading(board: Board) -> None:
    green = board.open(1)
    watching = board.open()
    click_move(green, 1, "A6", "B6")
    watching.get_by_text("A6-B6").wait_for()
    assert watching.get_by_role("button", name="Resign").count() == 0


@pytest.mark.slow
def test_resigning_asks_first(board: Board) -> None:
    page = board.open(1)
    half_panel(page, 2).get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert ends(board) == ["", ""]
    half_panel(page, 2).get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    assert eventually(lambda: ends(board) == ["", "forfeit: resigned"])


@pytest.mark.variants(1, all=7)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", slow("dark")])
@pytest.mark.parametrize("game_name", ["smack", slow("smac"), slow("slime_mind")])
@pytest.mark.parametrize("options", [{}, slow(PHONE)], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious(
    board: Board, game_name: str, scheme: str, options: dict[str, Any]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    board.start(game_name, "pp")
    page = board.open(1, color_scheme=scheme, **options)
    page.get_by_role("heading", level=2).first.wait_for()
    if game_name == "smack":
        board.service.perform_act(board.id, Act(2, 1, rules.OFFER))
        page.get_by_role("button", name="Accept").wait_for()
    found = Axe().run(page).response["violations"]
    serious = [
        (each["id"], [node["target"] for node in each["nodes"]][:5])
        for each in found
        if each["impact"] in SERIOUS
    ]
    assert serious == []
    assert page.errors == []


def seal(page: Any) -> None:
    page.get_by_role("button", name="Submit", exact=True).click()


def decisions(board: Board) -> int:
    with board.session() as session:
        return len(session.log)


@pytest.mark.slow
def test_three_people_and_a_bot_play_smac_to_its_end(board_of_smac: Board) -> None:
    board = board_of_smac
    board.start("smac", "pppb", last_turn=3)
    pages = [board.open(team) for team in (1, 2, 3)]
    for number in range(1, 6):  # two placement rounds and three turns
        for page in pages:
            seal(page)
        assert eventually(lambda: decisions(board) == number), number  # noqa: B023
        if number < 5:
            for page in pages:
                page.locator("button", has_text="Submit").and_(page.locator(":enabled")).wait_for()
    with board.session() as session:
        assert session.outcome is not None
    for page in pages:
        assert page.errors == []
