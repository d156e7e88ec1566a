"""What a bot sees of the dish."""

from typing import Any

import numpy as np
import pytest

from engine.games.smac import events as ev
from engine.games.smac.board_view import Board
from engine.games.smac.orders import PLACEMENTS
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.player import BasePlayer, OrderSheet, PlacementSheet, SmacHost
from engine.games.smac.settings import Characteristics
from engine.games.smac.terrain import BASE, CENTER, SUGAR
from engine.limits import Limits
from tests.engine.games.smac.dishes import a_dish, block

LEVELS = {
    1: Characteristics(stacking=2, jump=1),
    2: Characteristics(stacking=3, defense=1, productivity=5),
}


def a_board() -> Board:
    dish = a_dish(levels=LEVELS, terrain={(2, 2): CENTER, (0, 0): SUGAR}, turn=9)
    block(block(dish, 1, 2, 2), 2, 6, 2, height=2)
    dish.team(2).points = dish.team(2).bank = dish.team(2).selection = None
    return Board(dish, 1)


def test_cells_tell_owner_height_and_terrain() -> None:
    board = a_board()
    assert (board.side, board.turn, board.team, board.teams, board.enemies) == (
        12,
        9,
        1,
        [1, 2],
        [2],
    )
    assert board.terrain(2, 2) == ("SUGAR", "HILL", "BASE")
    assert board.terrain(5, 9) == ()
    assert (board.owner(2, 2), board.owner(6, 2), board.owner(9, 9)) == (1, 2, None)
    assert (board.height(2, 2), board.height(6, 2), board.height(9, 9)) == (1, 2, 0)
    assert (board.height(6, 2, team=1), board.height(6, 2, team=2)) == (0, 2)
    assert board.effective_height(2, 2) == 2
    assert (board.is_empty(9, 9), board.is_empty(2, 2)) == (True, False)
    assert len(board.cells()) == len(board.cells(2)) == 9
    assert len(board.empty_cells()) == 144 - 18
    assert board.terrain_cells() == [(0, 0), (2, 2)]


def test_a_cell_off_the_board_is_an_error_that_says_so() -> None:
    with pytest.raises(IndexError, match=r"\(12, 3\) is off the board of 12 x 12"):
        a_board().owner(12, 3)
    assert not a_board().is_on_board(12, 3)


@pytest.mark.parametrize("number", [np.int64, np.uint8, np.float64, np.array, float])
def test_numbers_of_every_library_are_numbers_on_the_board(number: Any) -> None:
    board = a_board()
    x, y, two = number(6), number(2), number(2)
    assert (board.owner(x, y), board.height(x, y, two), board.is_on_board(x, y)) == (2, 2, True)
    assert board.neighbors(x, y) == board.neighbors(6, 2)
    assert (board.levels(two), board.cells(two)) == (board.levels(2), board.cells(2))
    assert board.reach(two, number(1)) == board.reach(2, 1)
    assert board.odds(x, y, number(3)) == board.odds(6, 2, 3)
    assert board.production(without=[(number(2), number(2))]) == board.production(without=[(2, 2)])
    assert not board.is_on_board(number(12), 2)


def test_half_a_cell_is_an_error_that_says_so() -> None:
    with pytest.raises(TypeError, match=r"^a cell is two whole numbers, not \(2\.5, 3\)$"):
        a_board().owner(2.5, 3)  # type: ignore[arg-type]
    assert not a_board().is_on_board(2.5, 3)  # type: ignore[arg-type]


def test_neighbors_support_and_distance() -> None:
    board = a_board()
    assert len(board.neighbors(0, 0)) == 3
    assert len(board.neighbors(5, 5)) == 8
    assert (board.support(2, 2), board.support(4, 2), board.support(4, 2, team=2)) == (8, 3, 3)
    assert board.distance((1, 1), (4, 2)) == 3


def test_reach_is_the_cost_of_every_cell_in_reach() -> None:
    board = a_board()
    reach = board.reach()
    assert reach[2, 2] == 1
    assert reach[4, 4] == 2
    assert (5, 5) not in reach
    assert set(board.reach(jump=0).values()) == {1}
    assert board.reach(jump=2)[5, 5] == 3
    assert board.reach(2, jump=0).keys() == set(board.cells(2))


def test_levels_are_everybodys_and_banks_ones_own() -> None:
    board = a_board()
    assert board.levels(2).defense == 1
    assert board.levels().jump == 1
    assert board.bank == 20.0
    assert board.invested("stacking") == 4
    assert board.threshold_pct is None


def test_production_and_yields() -> None:
    board = a_board()
    assert board.production() == 1.4
    assert board.production(2) == pytest.approx(9 * 0.4 * 1.5)
    assert board.production(2, without=[]) == board.production(2)
    assert board.yield_of(2, 2, 3) == 2.0
    assert board.yield_of(5, 9, 2) == 0.4


def test_production_without_a_stack_is_without_what_dies_and_comes_down_for_it() -> None:
    dish = a_dish(levels=LEVELS)
    block(block(dish, 2, 5, 5, radius=2), 2, 5, 5, height=2)
    board = Board(dish, 1)
    assert board.production(2) == pytest.approx(9 * 0.4 * 1.5)
    # (5, 7) is on the edge: the three of height 2 beside it come down
    assert board.production(2, without=[(5, 7)]) == pytest.approx(6 * 0.4 * 1.5)
    assert board.production(2, without=board.cells(2)) == 0
    assert board.height(5, 7) == 1
    lone = a_dish(levels=LEVELS)
    block(lone, 2, 2, 2, height=2)
    assert Board(lone, 1).production(2, without=[(2, 1)]) == 0  # two corners die, all is 1
    with pytest.raises(IndexError, match="off the board"):
        board.production(2, without=[(5, 12)])


def test_growth_is_that_of_the_next_growth_phase() -> None:
    dish = a_dish("A1 A1 A1\nA1 . .")
    assert Board(dish, 1).growth() == [(1, 1)]
    assert Board(dish, 2).growth() == []


def test_odds_are_those_of_the_rules() -> None:
    dish = a_dish("B1 A1", terrain={(0, 0): BASE})
    board = Board(dish, 1)
    assert board.odds(0, 0, 1) == pytest.approx(2 / 13)
    assert board.odds(1, 0, 1) == board.odds(5, 5, 1) == 1.0
    assert board.odds(0, 0, 3) > 0.9


def test_specials_and_skipped_orders_are_ones_own_to_see() -> None:
    board = a_board()
    dish = board._dish
    assert board.selectable == [*Special]
    assert (board.selected, board.armed) == (None, None)
    dish.apply(ev.Selected(1, Special.NUKE))
    dish.apply(ev.Skipped(1, (Skip("fly", "no"),), 0))
    assert (board.selected, board.armed) == (Special.NUKE, None)
    dish.turn = 10
    assert board.armed is Special.NUKE
    assert board.skipped == (Skip("fly", "no"),)
    dish.apply(ev.SpecialUsed(1, Special.NUKE, 0, None, ()))
    assert (board.selected, board.used(), board.used(2)) == (None, (Special.NUKE,), ())
    dish.turn = 11
    assert not board.skipped


def test_fights_of_the_last_turn_are_told() -> None:
    board = a_board()
    old, new = (Fight(turn, turn, 1, (1, 1), 2, 1, 1) for turn in (7, 8))
    for fight in (old, new):
        board._dish.apply(ev.Fought(fight))
    assert board.fights() == [new]


def test_centers_and_what_is_new() -> None:
    dish = a_dish()
    dish.stage = PLACEMENTS[0]
    board = Board(dish, 1)
    assert len(board.free_centers()) == 100
    dish.apply(ev.Settled(1, 4 * 12 + 4, tuple(y * 12 + x for x in (3, 4, 5) for y in (3, 4, 5))))
    assert board.centers() == [(4, 4)]
    assert board.centers(2) == []
    assert board.is_new(4, 4)
    dish.turn = 5
    assert not board.is_new(4, 4)
    assert not board.is_new(9, 9)


class Placer(BasePlayer):
    """A player that writes a line on each sheet."""

    def settle(self, sheet: PlacementSheet) -> None:
        sheet.center(3, 3)

    def decide(self, orders: OrderSheet) -> None:
        orders.evolve("jump")


class Dictator(BasePlayer):
    """A player that returns its answers itself."""

    def settle(self, sheet: PlacementSheet) -> dict[str, int]:  # type: ignore[override]
        return {"bid": 1}

    def decide(self, orders: OrderSheet) -> dict[str, str]:  # type: ignore[override]
        return {"select": "NUKE"}


def test_a_player_is_asked_by_the_stage_and_its_sheet_is_the_answer() -> None:
    dish = a_dish()
    host = SmacHost(Placer, dish, 1, Limits())
    assert host.decide(0, None) == {"orders": [["evolve", "jump"]]}
    assert host.place(0) == "turn 1"
    dish.stage = PLACEMENTS[1]
    assert host.decide(0, None) == {"bid": 0, "centers": [(3, 3)]}
    assert host.place(0) == "placement 2"


def test_a_player_may_return_its_answer_itself() -> None:
    dish = a_dish()
    host = SmacHost(Dictator, dish, 1, Limits())
    assert host.decide(0, None) == {"select": "NUKE"}
    dish.stage = PLACEMENTS[0]
    assert host.decide(0, None) == {"bid": 1}


def test_a_player_without_decide_is_told_what_it_needs() -> None:
    dish = a_dish()
    with pytest.raises(NotImplementedError, match="a Player needs a method decide"):
        SmacHost(BasePlayer, dish, 1, Limits()).decide(0, None)  # type: ignore[type-abstract]
    dish.stage = PLACEMENTS[0]
    host = SmacHost(BasePlayer, dish, 1, Limits())  # type: ignore[type-abstract]
    assert host.decide(0, None) == {"bid": 0, "centers": []}
