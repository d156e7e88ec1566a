"""Playing in Firefox: all other tests of pages use Chromium."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from server.games.game_service import GameService
from server.games.positions import load_position
from tests import needs
from tests.firefox import PACKAGE, PROGRAM, Firefox, firefox
from tests.server.conftest import Serve
from tests.server.members import serving
from tests.server.playing import a_game_service, nearest_food, no_orders, read_plies, start_game
from tests.server.test_slime_mind_page import SMALL
from tests.shell import eventually

pytestmark = [pytest.mark.slow, needs.program(PROGRAM, package=PACKAGE)]
PLIES = 6


@pytest.fixture
def browser() -> Iterator[Firefox]:
    with firefox() as running:
        yield running


def square(name: str) -> str:
    return f"[data-board='1'] [data-square='{name}']"


def best_move(game_service: GameService, game: str) -> tuple[str, str]:
    """Return the move on board 1 that captures most."""
    board: Any = load_position(game_service, game, (1, 2)).board
    half = board.halves[0]
    moves = [
        (len(captured), source, target)
        for source, targets in half.moves.items()
        for target, captured in targets.items()
    ]
    _, source, target = max(moves)
    return source, target


def is_played(game_service: GameService, game: str, ply: int) -> bool:
    return read_plies(game_service, game)[0] > ply


def test_a_board_of_smack_is_played_by_clicks_and_by_dragging(
    tmp_path: Path, serve: Serve, browser: Firefox
) -> None:
    game_service = a_game_service(tmp_path / "games.sqlite")
    game = start_game(game_service, ply_limit=PLIES)
    address, key = serve(game_service), game_service.keys.new_key(game, (1, 2))
    browser.open(f"{address}/games/{game}?key={key}")
    for ply in range(PLIES):
        source, target = best_move(game_service, game)
        browser.wait_for(f"{square(source)}.movable")
        if ply % 2:
            browser.drag(square(source), square(target))
        else:
            browser.click(square(source))
            browser.click(square(target))
        assert eventually(partial(is_played, game_service, game, ply))
    browser.wait_for(".half[data-number='1'] .token.over")
    assert browser.errors() == []


PRESS = """
const buttons = [...document.querySelectorAll("#orders button")];
const found = buttons.find(({ textContent }) => textContent.startsWith(arguments[0]));
if (found?.getAttribute("aria-disabled") === "true") return false;
found?.click();
return Boolean(found);
"""


@pytest.mark.parametrize(
    ("kind", "presses", "settings"),
    [
        ("slime_mind", (*["Eat what is near"] * 3, "Send all"), {**SMALL, "max_turns": 2}),
        ("smac", ("Submit",), {"victory_from_turn": 3, "last_turn": 4, "specials_from_turn": 1}),
    ],
    ids=["slime_mind", "smac"],
)
def test_a_whole_game_against_a_bot_is_played_to_its_end(
    tmp_path: Path, serve: Serve, browser: Firefox, kind: str, presses: Any, settings: Any
) -> None:
    choose = nearest_food if kind == "slime_mind" else no_orders
    game_service = a_game_service(tmp_path / "games.sqlite", choose)
    game = start_game(game_service, kind, "pb", **settings)
    address, key = serve(game_service), game_service.keys.new_key(game, (1,))
    browser.open(f"{address}/games/{game}?key={key}")
    is_over = "return Boolean(document.querySelector('dialog.question[open]'))"

    def press_on() -> bool:
        for words in presses:
            browser.script(PRESS, words)
        return bool(browser.script(is_over))

    assert eventually(press_on)
    assert browser.errors() == []


IS_THERE = "return document.getElementById('editor').shadowRoot !== null"
TYPED = """
const root = document.getElementById("editor").shadowRoot;
return root.querySelector(".cm-content").textContent;
"""


def test_a_bot_is_written_in_the_built_editor_within_the_content_policy(
    tmp_path: Path, serve: Serve, browser: Firefox
) -> None:
    with serving(tmp_path, guests_write=True) as server:
        browser.open(f"{serve(server.game_service, server.site)}/write")
        browser.click("#templates li:first-child button")
        assert eventually(lambda: bool(browser.script(IS_THERE)))
        browser.click("#editor")
        browser.type("# typed in Firefox ")
        assert eventually(lambda: "# typed in Firefox" in browser.script(TYPED))
        browser.wait_for("#save-state[data-state=saved]")
        assert browser.errors() == []
