"""An army drawn from nothing, in a real browser: by mouse, touch and keyboard."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.designs.designs_part import SavedDesigns
from server.runs import runs as running
from tests.server.conftest import NewContext, Serve, new_page
from tests.server.members import Server
from tests.server.test_in_browser import SERIOUS
from tests.shell import eventually

OpenDesigner = Callable[..., Any]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"


@pytest.fixture
def open_designer(server: Server, serve: Serve, new_context: NewContext) -> OpenDesigner:
    """Open the designer in a browser of its own, of a member or of a visitor."""
    home = serve(server.game_service, server.site)

    def open_it(member: str = "", session_of: str = "", **options: Any) -> Any:
        context = new_context(base_url=home, **options)
        if member:
            server.member(member)
        if member or session_of:
            server.sign_in(context, member or session_of, home)
        page = new_page(context)
        page.goto("/design")
        page.locator("#designer").wait_for()
        return page

    return open_it


def cell(page: Any, row: int, column: int) -> Any:
    return page.locator(f"#drawing [data-x='{column - 1}'][data-y='{row - 1}']")


def filled_cells(page: Any) -> list[tuple[int, int]]:
    """Return the cells that are drawn: row and column."""
    found = page.locator("#drawing [aria-selected=true]").evaluate_all(
        "cells => cells.map((cell) => [Number(cell.dataset.y) + 1, Number(cell.dataset.x) + 1])"
    )
    return [(row, column) for row, column in found]


def army(page: Any) -> Any:
    return page.evaluate("() => JSON.parse(localStorage.getItem('design')).army")


def has_cells(page: Any, count: int, most: int = 120) -> None:
    page.get_by_text(f"{count} of {most} cells", exact=True).wait_for()


def show_step(page: Any, step: str) -> None:
    """Show the cards of a step, where there is no room for all of them."""
    button = page.locator("#steps").get_by_role("button", name=step)
    if button.is_visible():
        button.click()


def start_from(page: Any, army: str) -> None:
    show_step(page, "File")
    page.get_by_label("Start from").select_option(label=army)


def fight(page: Any) -> str:
    """Have a mock battle; return what came of it."""
    page.get_by_role("button", name="Mock battle").click()
    page.locator("body:not(.loading) #board").wait_for()
    page.locator("#came").filter(has_text="against player_four").wait_for(timeout=120_000)
    return str(page.locator("#came").text_content())


def test_an_army_drawn_from_nothing_beats_the_weakest_one(
    open_designer: OpenDesigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "draw_seed", lambda: 1)
    page = open_designer()
    start_from(page, "an empty sheet")
    page.get_by_label("Name of the army").fill("Bars")
    page.get_by_label("Name of the type").fill("Bar")
    for column in (4, 5, 6):
        cell(page, 5, column).click()
    page.get_by_text("attack 3").first.wait_for()
    page.locator("#facts").get_by_text("a cell a turn").wait_for()
    page.get_by_label("How Bar behaves").select_option("Runner")
    page.get_by_role("button", name="As many as fit").click()
    has_cells(page, 120)
    assert fight(page).startswith("Bars won against player_four")
    assert page.title().startswith("Bars : player_four")
    page.get_by_role("link", name="Back to the designer").click()
    has_cells(page, 120)
    assert page.get_by_label("Name of the army").input_value() == "Bars"
    page.get_by_text("Last battle: Bars won against player_four").wait_for()
    assert page.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_comes_to_a_battle_in_one_click(
    open_designer: OpenDesigner, options: dict[str, Any]
) -> None:
    page = open_designer(**options)
    page.get_by_text("Raid is ready to fight").wait_for()
    assert page.get_by_role("button", name="Mock battle").is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 1_400
    fight(page)
    assert page.errors == []


@pytest.mark.slow
def test_the_keyboard_alone_draws_and_places(open_designer: OpenDesigner) -> None:
    page = open_designer()
    start_from(page, "an empty sheet")
    page.get_by_text("Not ready yet: ").wait_for()
    page.get_by_role("button", name="Clear").press("Enter")
    page.locator("#drawing [tabindex='0']").focus()
    keys = page.keyboard
    start = page.evaluate("() => Number(document.activeElement.dataset.y) + 1")
    for key in ("Space", "ArrowRight", "Space", "ArrowDown", "Enter"):
        keys.press(key)
    assert filled_cells(page) == [(start, 6), (start, 7), (start + 1, 7)]
    page.get_by_role("application", name="Map of the zone").focus()
    keys.press("ArrowLeft")
    page.get_by_text("column 23, first row of the home: free").wait_for(state="attached")
    keys.press("Enter")
    assert army(page)["placements"] == [[0, 23, 0]]
    keys.press("Enter")  # picks it up
    keys.press("ArrowUp")
    keys.press("Shift+ArrowLeft")
    keys.press("Enter")
    assert army(page)["placements"] == [[0, 18, -1]]
    keys.press("Delete")
    assert army(page)["placements"] == []
    keys.press("Control+z")
    assert army(page)["placements"] == [[0, 18, -1]]
    assert page.errors == []


def at(page: Any, u: float, v: float) -> tuple[float, float]:
    """Return where a cell of the map is on the screen."""
    x, y = page.evaluate(
        "([u, v]) => { const map = document.getElementById('map');"
        "const point = new DOMPoint(u + .5, v + .5).matrixTransform(map.getScreenCTM());"
        "return [point.x, point.y]; }",
        [u, v],
    )
    return x, y


@pytest.mark.slow
def test_shapes_are_placed_moved_and_removed_by_pointer(open_designer: OpenDesigner) -> None:
    page = open_designer()
    start_from(page, "Hunt")
    page.get_by_role("button", name="Remove all of this type").click()
    page.locator("#map").evaluate("map => map.scrollIntoView()")
    page.mouse.click(*at(page, 20, 5))
    assert army(page)["placements"] == [[0, 20, 5]]
    page.mouse.move(*at(page, 21, 6))
    page.mouse.down()
    page.mouse.move(*at(page, 5, 2), steps=4)
    page.mouse.up()
    assert army(page)["placements"] == [[0, 4, 1]]
    page.locator("#zone-wrong").get_by_text("is taken by the home").wait_for()
    page.locator("#map .wrong-shape").wait_for(state="attached")
    page.get_by_role("button", name="Mock battle").click()
    page.locator("#go-why").get_by_text("is taken by the home").wait_for()
    page.get_by_role("button", name="Remove the shape").click()
    assert army(page)["placements"] == []


@pytest.mark.slow
def test_a_finger_draws_and_places_on_a_phone(open_designer: OpenDesigner) -> None:
    page = open_designer(**PHONE)
    start_from(page, "an empty sheet")
    show_step(page, "Shape")
    page.get_by_role("button", name="Clear").tap()
    for column in (3, 4, 5):
        cell(page, 5, column).tap()
    assert filled_cells(page) == [(5, 3), (5, 4), (5, 5)]
    show_step(page, "Placing")
    page.locator("#map").evaluate("map => map.scrollIntoView()")
    page.touchscreen.tap(*at(page, 20, -3))
    assert army(page)["placements"] == [[0, 19, -3]]
    scrolled, wide = page.evaluate(WIDTHS)
    assert scrolled <= wide
    assert page.errors == []


@pytest.mark.slow
def test_code_is_written_from_that_of_a_behavior_and_its_mistakes_are_told(
    open_designer: OpenDesigner,
) -> None:
    page = open_designer("Ann")
    page.get_by_role("button", name="Show its code").click()
    page.get_by_role("button", name="Write a behavior of your own from this").click()
    code = page.get_by_label("Methods of the class")
    assert "def update(self) -> None:" in code.input_value()
    code.fill("def update(self):\n    self.move('up')\n")
    page.locator("#type-wrong").get_by_text("line 2 of its code: move 'up'").wait_for()
    page.get_by_role("button", name="Undo").click()
    assert "def update(self) -> None:" in code.input_value()


@pytest.mark.slow
def test_an_army_is_downloaded_opened_and_handed_in(
    open_designer: OpenDesigner, tmp_path: Path
) -> None:
    page = open_designer("Ann")
    page.get_by_label("Start from").select_option(label="Raid")
    has_cells(page, 120)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "player_raid.py"
    before = army(page)
    page.get_by_label("Start from").select_option(label="an empty sheet")
    has_cells(page, 0)
    page.locator("#file").set_input_files(file)
    has_cells(page, 120)
    assert army(page) == before
    page.get_by_role("button", name="Hand in").click()
    page.get_by_role("heading", name="Raid, version 1").wait_for()
    assert page.errors == []


@pytest.mark.slow
def test_what_a_member_draws_is_there_in_another_browser(
    open_designer: OpenDesigner, server: Server
) -> None:
    page = open_designer("Ann")
    page.get_by_label("Name of the army").fill("Mine")
    saved = SavedDesigns(server.storage.database)

    def is_kept() -> bool:
        design = saved.load(server.person_id("Ann")).design
        return design is not None and design.army.name == "Mine"

    assert eventually(is_kept)
    other = open_designer(session_of="Ann", **PHONE)
    has_cells(other, 120)
    show_step(other, "File")
    assert other.get_by_label("Name of the army").input_value() == "Mine"
    assert page.errors == other.errors == []


@pytest.mark.variants(1, all=2)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_designer_and_beside_a_battle(
    open_designer: OpenDesigner, scheme: str, options: dict[str, Any]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_designer("Ann", color_scheme=scheme, **options)
    start_from(page, "Hunt")
    show_step(page, "Behavior")
    page.get_by_role("button", name="Show its code").click()
    show_step(page, "Placing")
    has_cells(page, 120)
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    show_step(page, "Shape")
    page.get_by_label("Name of the type").fill("class")
    page.locator("#type-wrong li").first.wait_for()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    start_from(page, "Hunt")
    fight(page)
    serious = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in serious] == []
