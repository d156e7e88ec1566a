"""SMAC on a phone, by fingers alone, in a real browser."""

from typing import Any

import pytest

from tests.server.test_in_browser import BY_TOUCH, PHONE
from tests.server.test_smac_page import CALM, Game, cell, cells_with, game, has_signs, label
from tests.shell import eventually

__all__ = ["game"]  # a fixture
LONG_PRESS_MS = 700
SHORT = {"victory_from_turn": 3, "last_turn": 4, "specials_from_turn": 1}


class Fingers:
    """Fingers that stay on the glass: Playwright knows taps alone."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._browser = page.context.new_cdp_session(page)

    def _send(self, kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self._browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def press(self, target: Any) -> None:
        """Press something long."""
        self._send("touchStart", find_middle(target))
        self._page.wait_for_timeout(LONG_PRESS_MS)
        self._send("touchEnd")

    def spread(self, target: Any, pixels: int) -> None:
        """Spread two fingers around the middle of something, by so many pixels each."""
        x, y = find_middle(target)
        self._send("touchStart", (x - 20, y), (x + 20, y))
        for step in range(0, pixels + 1, 5):
            self._send("touchMove", (x - 20 - step, y), (x + 20 + step, y))
        self._send("touchEnd")

    def swipe(self, target: Any, pixels: int) -> None:
        """Draw a finger up from the middle of something."""
        x, y = find_middle(target)
        self._send("touchStart", (x, y))
        for step in range(0, pixels + 1, 10):
            self._send("touchMove", (x, y - step))
        self._send("touchEnd")


def find_middle(target: Any) -> tuple[float, float]:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def submit(page: Any, turn: str) -> None:
    """Submit, and wait for what comes then."""
    page.get_by_role("button", name="Submit", exact=True).tap()
    page.get_by_role("heading", name=turn).wait_for()


def choose(page: Any, x: int, y: int, sign: str) -> None:
    """Tap a cell, and wait until it shows that."""
    cell(page, x, y).tap()
    cell(page, x, y).and_(page.locator(f".{sign}")).wait_for(state="attached")


def settle(game: Game, page: Any) -> None:
    """Settle by touch, up to the first turn."""
    page.get_by_role("button", name="Skip").tap()
    has_signs(page, "can")
    choose(page, 5, 4, "center")
    choose(page, 9, 9, "center")
    choose(page, 9, 9, "can")  # a second tap takes it back
    page.get_by_role("button", name="Bid a point more").tap()
    page.get_by_text("19 points left").wait_for()
    submit(page, "Second placement round")
    choose(page, 5, 14, "center")
    submit(page, "Turn 1 of 4")


@pytest.mark.slow
@BY_TOUCH
def test_a_whole_game_is_played_by_touch(game: Game, options: dict[str, Any]) -> None:
    game.start("pb", **SHORT)
    page = game.open(**options, **CALM)
    settle(game, page)
    cell(page, 3, 3).tap()
    refused = page.locator(".draft .refused")
    refused.get_by_text("beyond reach with jump level 0").wait_for()
    page.get_by_role("button", name="Jump: raise a level").tap()
    has_signs(page, "can")
    page.get_by_role("button", name="Stacking: raise a level").tap()
    has_signs(page, "higher")
    choose(page, 3, 4, "raised")
    choose(page, 5, 4, "raised")
    page.get_by_role("button", name="Undo").tap()
    cell(page, 5, 4).and_(page.locator(".higher")).wait_for(state="attached")
    page.get_by_role("button", name="Nuke: select").tap()
    page.get_by_role("button", name="✓ Nuke: select").wait_for()
    submit(page, "Turn 2 of 4")
    assert eventually(lambda: label(page, 3, 4).startswith("3, 4; Ann 1: 1; costs 1"))
    rival = find_rival_center(page)
    page.get_by_role("button", name="Nuke: use").tap()
    page.get_by_role("button", name="Stop aiming").tap()
    page.get_by_role("button", name="Nuke: use").tap()
    assert cells_with(page, "aimed") == set()  # nothing was pointed at yet
    choose(page, *rival, "aimed")
    submit(page, "Turn 3 of 4")
    assert eventually(lambda: "bot 2" not in label(page, *rival))
    submit(page, "Ann 1 won")
    page.get_by_role("dialog").get_by_role("button", name="See the board").tap()
    replay = page.get_by_role("link", name="Watch the replay")
    board, at = page.locator("#stage").bounding_box(), replay.bounding_box()
    is_beside = at["x"] >= board["x"] + board["width"]
    assert is_beside or at["y"] >= board["y"] + board["height"]
    replay.tap()
    page.wait_for_url("**/watch")
    assert page.errors == []


def find_rival_center(page: Any) -> tuple[int, int]:
    """Return where a center of the bot's is."""
    centers = page.locator("[aria-label*='SUGAR; HILL; BASE; bot 2']")
    x, y = centers.first.get_attribute("data-square").split(", ")
    return int(x), int(y)


@pytest.mark.slow
def test_a_long_press_tells_of_a_cell_and_orders_nothing(game: Game) -> None:
    game.start("pb", **SHORT)
    page = game.open(**PHONE, **CALM)
    settle(game, page)
    page.get_by_role("button", name="Jump: raise a level").tap()
    has_signs(page, "can")
    Fingers(page).press(cell(page, 3, 4))
    inspector = page.locator("#inspector")
    inspector.get_by_role("heading", name="cell 3, 4").wait_for()
    assert inspector.bounding_box()["y"] < page.viewport_size["height"]
    inspector.get_by_role("button").first.tap()
    inspector.wait_for(state="hidden")
    assert cells_with(page, "raised") == set()
    assert page.errors == []


@pytest.mark.slow
def test_a_finger_that_scrolls_orders_nothing_and_two_come_closer(game: Game) -> None:
    game.start("pb", **SHORT)
    page = game.open(**PHONE, **CALM)
    page.get_by_role("button", name="Skip").tap()
    has_signs(page, "can")
    fingers = Fingers(page)
    fingers.swipe(cell(page, 9, 15), 120)
    assert eventually(lambda: page.evaluate("scrollY") > 0)
    page.evaluate("scrollTo(0, 0)")
    width = cell(page, 9, 9).bounding_box()["width"]
    fingers.spread(cell(page, 9, 9), 60)
    assert eventually(lambda: cell(page, 9, 9).bounding_box()["width"] > 2 * width)
    choose(page, 9, 9, "center")
    assert cells_with(page, "center") == {"9, 9"}
    page.get_by_role("button", name="The whole board").tap()
    assert eventually(lambda: cell(page, 9, 9).bounding_box()["width"] == width)
    assert page.errors == []
