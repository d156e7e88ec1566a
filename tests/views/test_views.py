"""Golden pictures of every game in every way of watching, at desktop and phone size.

`python3 -m tests.views --renew` makes them anew: look at all of them before you commit them.
"""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.display import can_have_one
from tests.views.contrast import faint_parts
from tests.views.matches import MATCHES
from tests.views.sheet import difference, golden_path, make_sheet
from tests.views.shots import (
    BOARDS,
    PAGES,
    PICTURES,
    PLAYED_BY_PEOPLE,
    TERMINALS,
    WINDOWS,
    View,
    letters,
    open_board,
    open_page,
    paint,
    shoot_board,
    shoot_page,
    shoot_window,
)
from tests.visualizer.backends.arcade.conftest import a_display, no_spare, on_screen, spare

__all__ = ["a_display", "no_spare", "on_screen", "spare"]
MAX_DIFFERENCE = 4.0
"""The tolerance, of 255 on average: fonts of another system are wider, and move what follows."""
WHICH_ARE_CUT = """cards => cards.filter((card) => card.checkVisibility({ opacityProperty: true })
  && card.getBoundingClientRect().bottom > card.closest("aside").getBoundingClientRect().bottom)
  .map((card) => card.id || card.className)"""

of_peoples_games = pytest.mark.parametrize("game", PLAYED_BY_PEOPLE)
of_every_game = pytest.mark.parametrize("game", MATCHES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def test_there_is_a_golden_picture_of_every_view_and_no_other() -> None:
    views = (*PAGES, *WINDOWS, *PICTURES, *TERMINALS)
    wanted = {golden_path(game, view) for game in MATCHES for view in views}
    wanted |= {golden_path(game, view) for game in PLAYED_BY_PEOPLE for view in BOARDS}
    assert wanted == set(golden_path("smac", PAGES[0]).parent.iterdir())


@of_every_game
@pytest.mark.parametrize("view", TERMINALS, ids=str)
def test_a_terminal_shows_what_it_did(game: str, view: View) -> None:
    saved = golden_path(game, view).read_text(encoding="utf-8")
    assert f"{letters(game, view).text()}\n" == saved


@of_every_game
@pytest.mark.parametrize("view", PICTURES, ids=str)
def test_a_picture_looks_as_it_did(game: str, view: View) -> None:
    assert difference(game, view, paint(game, view)) <= MAX_DIFFERENCE


@pytest.mark.slow
@of_every_game
@pytest.mark.parametrize("view", WINDOWS, ids=str)
@pytest.mark.usefixtures("on_screen", "no_spare")
def test_a_window_looks_as_it_did(game: str, view: View) -> None:
    assert difference(game, view, shoot_window(game, view)) <= MAX_DIFFERENCE


@pytest.mark.slow
@of_every_game
@pytest.mark.parametrize("view", PAGES, ids=str)
def test_a_page_looks_as_it_did(game: str, view: View, chromium: Any, folder: Path) -> None:
    assert difference(game, view, shoot_page(chromium, game, view, folder)) <= MAX_DIFFERENCE


@pytest.mark.slow
@of_every_game
@pytest.mark.parametrize("view", PAGES, ids=str)
def test_every_text_of_a_page_can_be_read(
    game: str, view: View, chromium: Any, folder: Path
) -> None:
    with open_page(chromium, game, view, folder) as page:
        assert faint_parts(page) == []


@pytest.mark.slow
@of_every_game
@pytest.mark.parametrize("moment", ["begin", "end"])
def test_the_end_of_the_column_cuts_no_card(
    game: str, moment: str, chromium: Any, folder: Path
) -> None:
    with open_page(chromium, game, PAGES[0]._replace(moment=moment), folder) as page:
        page.locator(".below", has_text="more").wait_for()
        shown = page.locator("#side > :is(section, details), .team").evaluate_all(WHICH_ARE_CUT)
        assert shown == []
        page.locator("#side").evaluate("column => column.scrollTo(0, 9999)")
        page.locator("#match:not(.cut)").wait_for()


@pytest.mark.slow
@of_peoples_games
@pytest.mark.parametrize("view", BOARDS, ids=str)
def test_a_board_looks_as_it_did_and_every_text_can_be_read(
    game: str, view: View, chromium: Any, folder: Path
) -> None:
    assert difference(game, view, shoot_board(chromium, game, view, folder)) <= MAX_DIFFERENCE
    with open_board(chromium, game, view, folder) as page:
        assert faint_parts(page) == []


@pytest.mark.exhaustive
@pytest.mark.timeout(300)
def test_the_sheet_shows_all_of_them(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if can_have_one():  # not one of its own: this process connects to a screen once
        request.getfixturevalue("on_screen")
        request.getfixturevalue("no_spare")
    missing: list[str] = []
    page = make_sheet(tmp_path, missing.append, renews=False).read_text(encoding="utf-8")
    for game in MATCHES:
        for view in (*PICTURES, *TERMINALS, *([] if missing else (*PAGES, *WINDOWS))):
            assert (f'alt="{game} {view}"' in page) == (view not in TERMINALS)
            assert f"<figcaption>{view}</figcaption>" in page
