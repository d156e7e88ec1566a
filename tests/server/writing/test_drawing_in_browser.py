"""An army drawn beside its code, in a real browser."""

from typing import Any

import pytest

from tests.server.members import Server
from tests.server.writing.browsing import (
    OpenPage,
    code,
    is_saved,
    open_editor,
    put,
    read_code,
    read_saved_draft,
    read_saved_text,
)
from tests.shell import eventually


@pytest.fixture
def page(open_page: OpenPage, server: Server) -> Any:
    """Return the page of somebody who draws an army."""
    server.member("Ann")
    page = open_page("Ann")
    page.get_by_role("button", name="Draw an army").click()
    page.locator("#designer").wait_for()
    return page


def to_code(page: Any) -> None:
    page.locator("#files [role=tab]").first.click()
    code(page).wait_for()


def test_what_is_drawn_stands_in_the_code(page: Any) -> None:
    assert eventually(lambda: "class Lancer(behaviors.Hunter):" in read_saved_text(page))
    page.get_by_label("Name of the type").fill("Spear")
    assert eventually(lambda: "class Spear(behaviors.Hunter):" in read_saved_text(page))
    to_code(page)
    assert eventually(lambda: "class Spear(behaviors.Hunter):" in read_code(page))
    assert "before it was drawn" in [
        version["note"] for version in read_saved_draft(page)["versions"]
    ]


def test_a_drawing_opens_again_from_its_code(page: Any) -> None:
    page.get_by_label("Name of the type").fill("Spear")
    assert eventually(lambda: "class Spear(" in read_saved_text(page))
    page.reload()
    code(page).wait_for()
    page.get_by_role("button", name="Drawing").click()
    page.locator("#types").get_by_text("Spear").wait_for()
    assert not page.get_by_text("changed by hand").is_visible()


def test_code_that_was_changed_by_hand_is_kept_before_it_is_drawn_again(page: Any) -> None:
    assert eventually(lambda: "class Lancer(" in read_saved_text(page))
    to_code(page)
    put(page, read_saved_text(page).replace('"""An army', '"""My army'))
    is_saved(page)
    page.get_by_role("button", name="Drawing").click()
    page.get_by_text("The code was changed by hand").wait_for()
    page.get_by_label("Name of the type").fill("Spear")
    assert eventually(lambda: "class Spear(" in read_saved_text(page))
    notes = [version["note"] for version in read_saved_draft(page)["versions"]]
    assert "before it was drawn again" in notes


def test_code_that_was_not_drawn_stays_until_somebody_begins_a_drawing(
    open_page: OpenPage, server: Server
) -> None:
    server.member("Ann")
    page = open_page("Ann")
    open_editor(page, "Game of Death")
    before = read_saved_text(page)
    page.get_by_role("button", name="Drawing").click()
    page.get_by_text("This file was not drawn").wait_for()
    assert read_saved_text(page) == before
    page.get_by_role("button", name="Begin a drawing in its place").click()
    assert eventually(lambda: "class Lancer(" in read_saved_text(page))
