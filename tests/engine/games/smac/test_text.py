"""The dish in plain text."""

from engine.games.smac.game import Smac
from engine.games.smac.settings import Characteristics
from engine.games.smac.terrain import ACID, BARE, CENTER, DIP
from tests.engine.games.smac.dishes import a_dish

GAME = Smac()


def test_stacks_and_terrain_are_drawn() -> None:
    dish = a_dish("A1 B2 .\na1 A1b1 .", terrain={(0, 0): CENTER, (2, 1): DIP | ACID | BARE}, turn=7)
    lines = GAME.text(dish).splitlines()
    assert lines[0] == "turn 7, orders"
    assert lines[2].startswith("  0 A1 B2  .  .")
    assert lines[3].startswith("  1 a1 **  .  .")
    assert lines[15].startswith("  0 ^+$ .   .   .")
    assert lines[16].startswith("  1 .   .   v-! .")
    assert lines[-1] == "^: HILL   v: DIP   +: BASE   -: ACID   $: SUGAR   !: BARE"
    assert GAME.text(GAME.new(GAME.settings(), 2)).startswith("an empty dish")


def test_tall_stacks_are_a_plus() -> None:
    assert "A+" in GAME.text(a_dish("A12"))


def test_what_a_team_has_is_told_in_a_few_words() -> None:
    dish = a_dish("A3 A1", levels={1: Characteristics(attack=2, stacking=3)})
    dish.team(1).production = 24_310
    expected = "2 cells, highest 3; 24.31 points a turn; attack 2, stacking 3"
    assert GAME.describe(dish, 1) == expected
    assert GAME.describe(dish, 2) == "no stacks"
    dish = a_dish("A1", levels={1: Characteristics()})
    assert GAME.describe(dish, 1) == "1 cell, highest 1; 0 points a turn; no levels"
