"""A game of a package without a page of its own, played on the viewer's board."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.game_packages import BIDS, NAME, Install
from tests.server.conftest import Serve
from tests.server.playing import a_game_service, start_game

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
MIDDLE = 3
LOWEST = 5
Open = Callable[..., Any]
OWN_PARTS = f"""
    board="{NAME}.own",
    board_script="{NAME}:own.js",
    rules="{NAME}:rules.md",
"""
OWN_BOARD = """
import msgspec

class Shown(msgspec.Struct):
    discs: int
    columns: list[int]

def view(known, viewer, teams, observed):
    return Shown(sum(map(len, known.columns)), known.open_columns())

def words(event):
    return None
"""
OWN_SCRIPT = """
import { deliverOrder } from "../boards/deliveries.js";
import { playOn } from "../boards/play.js";
import { make } from "../shared/elements.js";

class Board {
  constructor({ id, root, refresh }) {
    Object.assign(this, { id, root, refresh });
    this.listener = { isOpen: () => false, choose() {}, point() {}, key: () => false };
  }
  start() {}
  show({ board, step, turn }) {
    const order = { team: 1, piece: 0, step, order: board.columns[0] };
    const click = async () => (await deliverOrder(this.id, "a disc", order)) && this.refresh();
    const words = `Drop into the first of ${board.columns.length}`;
    const discs = `turn ${turn}: ${board.discs} disc`;
    this.root.replaceChildren(make("button", { click }, words), discs);
  }
}

playOn(Board);
"""


@pytest.fixture
def open_game(install: Install, tmp_path: Path, serve: Serve, open_board: Open) -> Open:
    """Open a game of Connect Four against a bot that drops into the leftmost column."""
    install()
    service = a_game_service(
        tmp_path / "games.sqlite", lambda stepper, ask: stepper.state.open_columns()[0]
    )
    address = serve(service)

    def open_it(*teams: int, who: str = "pb", **options: Any) -> Any:
        page = open_board(service, address, start_game(service, NAME, who), *teams, **options)
        page.locator(".can").first.wait_for(state="attached")
        return page

    return open_it


def wait_for_disc(page: Any, column: int, row: int) -> None:
    page.locator(f"[data-square='{column}, {row}'][aria-label*='disc of team 1']").wait_for()


def play_column(page: Any, act: Callable[[int], None]) -> None:
    """Put four discs above each other, and win."""
    for disc in range(4):
        page.locator(f".can[data-square='{MIDDLE}, {LOWEST - disc}']").wait_for()
        act(disc)
        wait_for_disc(page, MIDDLE, LOWEST - disc)
    page.get_by_role("heading", name="Ann 1 won").wait_for()
    assert page.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("is_phone", [False, True], ids=["click", "touch"])
def test_a_game_is_won_on_the_squares_of_its_board(open_game: Open, is_phone: bool) -> None:
    page = open_game(1, **PHONE if is_phone else {})
    square = page.locator(f"[data-square='{MIDDLE}, 0']")  # any square of the column will do
    play_column(page, lambda disc: square.tap() if is_phone else square.click())


@pytest.mark.slow
def test_a_game_is_won_with_the_keyboard_alone(open_game: Open) -> None:
    page = open_game(1)
    page.locator("[role=grid] [tabindex='0']").focus()
    for _ in range(MIDDLE):
        page.keyboard.press("ArrowRight")
    assert "3, 5, 3" in page.locator(":focus").get_attribute("aria-label")
    play_column(page, lambda disc: page.keyboard.press("Enter"))


@pytest.mark.slow
def test_an_order_of_two_squares_is_clicked_or_dragged(
    open_game: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    from connect_four.scene import ConnectFourScene  # type: ignore[import-not-found]

    def from_the_top(scene: Any, state: Any, ask: Any, order: int) -> Any:
        (column,) = usual(scene, state, ask, order)
        return [[(order, 0)], [column[0]]]

    usual = ConnectFourScene.order_squares
    monkeypatch.setattr(ConnectFourScene, "order_squares", from_the_top)
    page = open_game(1, 2, who="pp")
    first, last = (page.locator(f"[data-square='{MIDDLE}, {row}']") for row in (0, LOWEST))
    first.click()
    assert page.locator("[data-square].can").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("[data-square].can").count() == 7
    first.click()
    last.click()
    wait_for_disc(page, MIDDLE, LOWEST)
    first.drag_to(page.locator(f"[data-square='{MIDDLE}, {LOWEST - 1}']"))
    page.locator(f"[data-square='{MIDDLE}, {LOWEST - 1}'][aria-label*='team 2']").wait_for()
    assert page.errors == []


@pytest.mark.slow
def test_a_package_may_have_a_board_of_its_own_and_says_how_it_is_played(
    install: Install, tmp_path: Path, serve: Serve, open_board: Open
) -> None:
    package = tmp_path / NAME
    (package / "own.py").write_text(OWN_BOARD)
    (package / "own.js").write_text(OWN_SCRIPT)
    (package / "rules.md").write_text("Four in a **line** win.<script>throw 1</script>")
    description = package / "__init__.py"
    description.write_text(description.read_text().replace("    api=1,", f"    api=1,{OWN_PARTS}"))
    install()
    service = a_game_service(tmp_path / "games.sqlite")
    address = serve(service)
    page = open_board(service, address, start_game(service, NAME), 1)
    page.get_by_role("button", name="Drop into the first of 7").click()
    page.get_by_text("turn 2: 1 disc").wait_for()
    assert page.locator(".how-to-play, #help").locator("strong", has_text="line").count()
    page.goto(f"{address}/how-to-play/{NAME}")
    page.locator(".how-to-play strong", has_text="line").wait_for()
    assert page.get_by_text("rules for authors").count() == 0
    assert page.errors == []
    assert page.request.get(f"{address}/static/packages/smack.js").status == 404


@pytest.mark.slow
def test_orders_under_seal_are_taken_back_and_played_together(
    install: Install, tmp_path: Path, serve: Serve, open_board: Open
) -> None:
    install("sealed-bids", BIDS, BIDS)
    service = a_game_service(tmp_path / "games.sqlite")
    address, game = serve(service), start_game(service, BIDS)
    first, second = (open_board(service, address, game, team) for team in (1, 2))
    for number in (9, 4):
        first.locator(f".can[data-square='{number}, 2']").click()
        first.get_by_role("heading", name="Turn 1: your order is in").wait_for()
        if number == 9:
            first.get_by_role("button", name="Take back the order of team 1").click()
    second.get_by_role("heading", name="Turn 1: your turn").wait_for()
    second.get_by_role("button", name="5", exact=True).click()
    for page, hidden in ((first, "Ann 2: ? coins"), (second, "Ann 1: ? coins")):
        page.get_by_role("heading", name="Turn 2: your turn").wait_for()
        for bid in ("4, 0", "5, 1"):
            page.locator(f"[data-square='{bid}'][aria-label*='bid of team']").wait_for()
        assert hidden in page.locator("#orders").inner_text()
        assert page.errors == []
