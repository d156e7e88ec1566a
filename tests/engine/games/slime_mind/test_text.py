"""The board in plain text."""

from typing import Any

import pytest

from engine.game import Standing
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.state import Board
from engine.games.slime_mind.text import LEGEND, describe
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime, an_enemy

DRAWING = """
    A . p q
    # C . B
"""


PLANTS_OF_HIGH_LEVEL: dict[str, Any] = {
    name: a_plant(number, level=level)
    for number, (name, level) in enumerate(zip("pqrs", (9, 10, 12, 13), strict=True), 1)
}


def a_scene(*, y_up: bool = False) -> Board:
    return a_board(
        DRAWING,
        B=an_enemy(2, xp=368, ready=True),
        C=a_slime(5, xp=695),
        q=a_plant(4, level=11, hp=1),
        y_up=y_up,
    )


def test_a_board_is_drawn_with_row_0_on_top() -> None:
    assert SlimeMind().text(a_scene()).splitlines() == [
        "turn 2",
        "    0  1  2  3",
        "  0 A1  . p1 pY",
        "  1 ## AZ  . bX",
        LEGEND,
    ]


def test_a_board_with_y_up_is_drawn_with_row_0_at_the_bottom() -> None:
    assert SlimeMind().text(a_scene(y_up=True)).splitlines()[2:4] == [
        "  1 ## AZ  . bX",
        "  0 A1  . p1 pY",
    ]


def test_a_level_takes_one_character() -> None:
    board = a_board("p q r s", **PLANTS_OF_HIGH_LEVEL)
    assert SlimeMind().text(board).splitlines()[2] == "  0 p9 pX pZ p+"


@pytest.mark.parametrize(
    ("team", "text"), [(1, "2 slimes: 1 of level 1, 1 of level 12"), (2, "1 slime: 1 of level 10")]
)
def test_a_team_is_described_by_its_levels(team: int, text: str) -> None:
    assert SlimeMind().describe(a_scene(), team) == text


def test_a_team_without_slimes_is_described_as_such() -> None:
    assert describe(a_board("A . ."), 2) == "no slimes"


def test_the_standing_tells_turn_and_scores() -> None:
    assert SlimeMind().standing(a_scene()) == Standing(2, 1000, (555.5, 259.7))
