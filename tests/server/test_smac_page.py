"""What the page of SMAC shows and takes, in a real browser."""

from typing import Any

import pytest

from engine.game import Ask
from tests.server.conftest import Board
from tests.server.test_in_browser import IS_CUT_OFF
from tests.shell import eventually

CALM = {"reduced_motion": "reduce"}
CENTERS = {1: [[(5, 4)], [(5, 14)]], 2: [[(14, 4)], [(14, 14)]]}
"""The centers of each team in both placement rounds."""


class Game:
    """A game of two people, or against bots that give no orders; the first has a page."""

    def __init__(self, board: Board) -> None:
        self._board, self.address = board, board.address

    def start(self, who: str = "pp", **settings: Any) -> None:
        # Without terrain every center is free.
        self._board.start("smac", who, terrain_pct=0, **settings)

    def open(self, **options: Any) -> Any:
        return self._board.open(1, **options)

    def answer(self, team: int, answer: dict[str, Any]) -> None:
        with self._board.session() as session:
            step = session.ask_step(Ask(team))
        self._board.answer(Ask(team), step, answer)

    def settle(self) -> None:
        """Let both teams place their centers."""
        for number in range(2):
            for team, rounds in CENTERS.items():
                self.answer(team, {"bid": 0, "centers": rounds[number]})

    def wait_for_order(self) -> Any:
        """Return what the first team has submitted, once it has."""
        assert eventually(lambda: self._submitted_order() is not None)
        return self._submitted_order()

    def _submitted_order(self) -> Any:
        with self._board.session() as session:
            return session.waiting.get(Ask(1))


@pytest.fixture
def game(board_of_smac: Board) -> Game:
    return Game(board_of_smac)


def cell(page: Any, x: int, y: int) -> Any:
    return page.locator(f"[data-square='{x}, {y}']")


def cells_with(page: Any, sign: str) -> set[str]:
    return {str(each.get_attribute("data-square")) for each in page.locator(f"g.{sign}").all()}


def label(page: Any, x: int, y: int) -> str:
    return str(cell(page, x, y).get_attribute("aria-label"))


def has_signs(page: Any, sign: str) -> None:
    page.locator(f"g.{sign}").first.wait_for(state="attached")


@pytest.mark.slow
def test_the_first_turn_says_what_to_evolve_before_anything_can_be_placed(game: Game) -> None:
    game.start()
    game.settle()
    page = game.open()
    page.get_by_text("You can place nowhere yet").wait_for()
    assert page.locator(".urged .name").all_inner_texts() == ["Jump", "Stacking"]
    assert cells_with(page, "can") == cells_with(page, "higher") == set()
    cell(page, 3, 3).click()
    page.get_by_role("alert").get_by_text("beyond reach with jump level 0").wait_for()
    page.get_by_role("button", name="Jump: raise a level").click()
    has_signs(page, "can")
    assert page.get_by_text("You can place nowhere yet").count() == 0
    assert page.locator(".urged").count() == 0
    assert label(page, 3, 3) == "3, 3; costs 2, can be placed"
    assert page.errors == []


@pytest.mark.slow
def test_the_keyboard_alone_places_evolves_undoes_and_submits(game: Game) -> None:
    game.start()
    page = game.open(**CALM)
    has_signs(page, "can")
    focus_the_dish(page)
    walk(page, 5, 4)
    page.keyboard.press("Enter")
    cell(page, 5, 4).and_(page.locator(".center")).wait_for(state="attached")
    page.keyboard.press("s")
    assert game.wait_for_order().centers == ((5, 4),)
    game.answer(2, {"bid": 0, "centers": CENTERS[2][0]})
    page.get_by_role("heading", name="Second placement round").wait_for()
    for team in (1, 2):
        game.answer(team, {"bid": 0, "centers": CENTERS[team][1]})
    page.get_by_text("You can place nowhere yet").wait_for()
    focus_the_dish(page)
    page.keyboard.press("3")  # a point into jump
    has_signs(page, "can")
    page.keyboard.press("Shift+5")  # a level of stacking
    has_signs(page, "higher")
    walk(page, 3, 4)
    page.keyboard.press(" ")
    cell(page, 3, 4).and_(page.locator(".raised")).wait_for(state="attached")
    assert "raised by your draft to 1" in label(page, 3, 4)
    page.keyboard.press("u")
    cell(page, 3, 4).and_(page.locator(".can")).wait_for(state="attached")
    walk(page, 5, 4)
    page.keyboard.press("Enter")
    cell(page, 5, 4).and_(page.locator(".raised")).wait_for(state="attached")
    page.keyboard.press("s")
    orders = [
        (type(order).__name__, *field_values(order)) for order in game.wait_for_order().orders
    ]
    assert orders == [("Evolve", "jump"), *[("Evolve", "stacking")] * 3, ("Place", 5, 4)]
    assert page.errors == []


def field_values(order: Any) -> tuple[Any, ...]:
    return tuple(getattr(order, name) for name in order.__struct_fields__)


def focus_the_dish(page: Any) -> None:
    """Press Tab until a cell has the focus."""
    for _ in range(60):
        if page.evaluate("Boolean(document.activeElement.dataset.square)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the dish")


def walk(page: Any, x: int, y: int) -> None:
    """Move the focus to a cell with the arrow keys."""
    at = page.evaluate("document.activeElement.dataset.square")
    from_x, from_y = map(int, at.split(", "))
    across = ("ArrowRight" if x > from_x else "ArrowLeft",) * abs(x - from_x)
    along = ("ArrowDown" if y > from_y else "ArrowUp",) * abs(y - from_y)
    for key in (*across, *along):
        page.keyboard.press(key)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, CALM], ids=["played", "jumped to"])
def test_a_turn_is_shown_and_told_when_the_last_has_submitted(
    game: Game, options: dict[str, Any]
) -> None:
    game.start()
    page = game.open(**options)
    has_signs(page, "can")
    for team, rounds in CENTERS.items():
        game.answer(team, {"bid": 0, "centers": rounds[0]})
    said = page.locator("#said")
    said.get_by_text(
        "Cell 14, 4 became a center of Ann 2. Cell 5, 4 became a center of Ann 1."
    ).wait_for(state="attached")
    said.get_by_text("Second placement round.").wait_for(state="attached")
    assert label(page, 5, 4) == "5, 4; SUGAR; HILL; BASE; Ann 1: 1"
    assert label(page, 13, 3) == "13, 3; Ann 2: 1"
    assert page.locator("#past").is_hidden()
    assert "past" not in page.locator(".ordering").get_attribute("class").split()
    assert page.errors == []


@pytest.mark.slow
def test_centers_are_tried_in_an_order_that_can_be_changed(game: Game) -> None:
    game.start()
    page = game.open()
    has_signs(page, "can")
    for place in ((5, 4), (14, 14)):
        cell(page, *place).click()
        cell(page, *place).and_(page.locator(".center")).wait_for(state="attached")
    assert label(page, 14, 14) == "14, 14; your center 2"
    assert "5, 5" in cells_with(page, "chosen")
    page.get_by_role("button", name="Try center 14, 14 sooner").click()
    assert eventually(lambda: label(page, 14, 14) == "14, 14; your center 1")
    cell(page, 5, 4).click()
    cell(page, 5, 4).and_(page.locator(".can")).wait_for(state="attached")
    page.get_by_role("button", name="Bid a point more").click()
    page.get_by_text("19 points left").wait_for()
    page.get_by_role("button", name="Submit", exact=True).click()
    assert (game.wait_for_order().bid, game.wait_for_order().centers) == (1, ((14, 14),))
    page.get_by_text("Waiting for Ann 2.").wait_for()
    assert cells_with(page, "can") == set()
    page.get_by_role("button", name="Take back").click()
    has_signs(page, "can")
    assert page.errors == []


@pytest.mark.slow
def test_a_special_is_selected_and_aimed_at_a_cell(game: Game) -> None:
    game.start(specials_from_turn=1)
    game.settle()
    page = game.open(**CALM)
    page.get_by_role("button", name="Nuke: select").click()
    page.get_by_role("button", name="✓ Nuke: select").wait_for()
    page.get_by_role("button", name="Submit", exact=True).click()
    assert game.wait_for_order().select == "NUKE"
    game.answer(2, {})
    cell(page, 3, 3).hover()
    page.get_by_role("button", name="Nuke: use").click()
    aiming = page.locator(".draft").get_by_text("Choose the target of NUKE")
    aiming.wait_for()
    assert cells_with(page, "aimed") == set()  # the pointer is not on the dish any more
    page.keyboard.press("Escape")
    aiming.wait_for(state="detached")
    page.get_by_role("button", name="Nuke: use").click()
    cell(page, 14, 4).click()
    cell(page, 14, 4).and_(page.locator(".aimed")).wait_for(state="attached")
    page.get_by_role("button", name="Submit", exact=True).click()
    assert game.wait_for_order().use.target == (14, 4)
    assert page.errors == []


@pytest.mark.slow
def test_what_was_not_carried_out_is_told_with_its_reason(game: Game) -> None:
    game.start()
    game.answer(1, {"bid": 0, "centers": [(0, 0)]})
    game.answer(2, {"bid": 0, "centers": CENTERS[2][0]})
    page = game.open()
    skipped = page.get_by_text("Not carried out in the last turn:")
    assert skipped.inner_text() == (
        "Not carried out in the last turn: center 0 0: its 3 x 3 cells are not all on the board."
    )
    assert page.errors == []


@pytest.mark.slow
def test_the_facts_of_teams_are_in_peoples_words(game: Game) -> None:
    game.start()
    game.settle()
    for order in (["evolve", "pinit"], ["evolve", "cinit"]):
        for team in (1, 2):
            game.answer(team, {"orders": [order] * 5})
    page = game.open()
    facts = page.locator("#teams .figures").first.locator("dt")
    facts.get_by_text("strikes first").wait_for()
    assert {"share", "places first"} <= {*facts.all_inner_texts()}
    assert page.errors == []


@pytest.mark.slow
def test_the_inspector_tells_what_is_known_of_a_cell(game: Game) -> None:
    game.start()
    game.settle()
    page = game.open()
    cell(page, 5, 4).click(button="right")
    inspector = page.locator("#inspector")
    inspector.get_by_role("heading", name="cell 5, 4").wait_for()
    assert "was settled by Ann 1" in inspector.inner_text()
    assert page.errors == []


@pytest.mark.slow
def test_at_200_percent_the_dish_has_two_thirds_of_the_width_and_nothing_is_cut_off(
    game: Game,
) -> None:
    game.start()
    page = game.open(viewport={"width": 640, "height": 400})
    assert page.locator("#stage").bounding_box()["width"] >= 640 * 2 / 3
    page.get_by_role("button", name="Skip").click()
    assert not page.evaluate(IS_CUT_OFF)


@pytest.mark.slow
def test_the_help_opens_at_its_top_and_says_the_aim_first(game: Game) -> None:
    game.start()
    page = game.open()
    page.get_by_role("button", name="How to play").click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("heading", level=2).inner_text() == "How to play"
    assert dialog.locator("p").first.inner_text().startswith("Grow the most productive slime mold")
    assert dialog.evaluate("(help) => help.scrollTop") == 0


@pytest.mark.slow
@pytest.mark.parametrize(("width", "columns"), [(360, 1), (768, 2), (1280, 4)])
def test_the_pictures_of_the_lesson_fit_their_page_and_are_in_the_help_of_the_board(
    game: Game, width: int, columns: int
) -> None:
    game.start()
    page = game.open(viewport={"width": width, "height": 800})
    page.get_by_role("button", name="How to play").click()
    pictures = page.get_by_role("dialog").get_by_role("img")
    parts = [str(each.get_attribute("aria-label")) for each in pictures.all()]
    page.goto(f"{game.address}/how-to-play/smac")
    alone = page.locator(".lesson").get_by_role("img")
    assert [each.get_attribute("aria-label") for each in alone.all()] == parts
    assert len(parts) == 4
    boxes = [each.bounding_box() for each in alone.all()]
    assert len({round(box["x"]) for box in boxes}) == columns
    assert len({round(box["height"]) for box in boxes}) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sources = page.eval_on_selector_all(
        "image", "all => [...new Set(all.map(one => one.href.baseVal))]"
    )
    assert all(page.request.get(game.address + source).ok for source in sources)
    assert page.errors == []
