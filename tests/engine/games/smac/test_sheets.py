"""The sheets on which bots write: what they take is carried out, and what not they explain."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Refusal
from engine.games.smac import events as ev
from engine.games.smac.orders import MAX_ORDERS, PLACEMENTS, Orders, Placement, parse
from engine.games.smac.pieces import Special
from engine.games.smac.rules import TURN, allocate
from engine.games.smac.settings import Characteristic, Characteristics
from engine.games.smac.sheets import OrderSheet, PlacementSheet
from engine.games.smac.state import Dish
from engine.games.smac.terrain import CENTER, DIP
from tests.engine.games.smac.dishes import a_dish, block, heights, of_type, run
from tests.examples import examples


def a_sheet(**more: Any) -> OrderSheet:
    return OrderSheet(block(a_dish(**more), 1, 2, 2), 1)


def test_a_placement_tells_its_cost_and_lowers_the_bank() -> None:
    levels = {1: Characteristics(stacking=2, jump=1)}
    sheet = a_sheet(levels=levels)
    assert (sheet.cost(2, 2), sheet.cost(4, 4), sheet.cost(5, 5)) == (1, 2, None)
    assert sheet.place(2, 2)
    assert sheet.place(4, 4)
    assert (sheet.bank, sheet.points, sheet.height(2, 2), sheet.height(4, 4)) == (17.0, 17, 2, 1)
    assert sheet.answer() == {"orders": [["place", 2, 2], ["place", 4, 4]]}


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ((5, 5), "beyond reach with jump level 0"),
        ((2, 2), "the stack there has 1, the stacking level"),
        ((12, 0), "(12, 0) is no cell of a board of 12 x 12"),
        ((-1, 3), "(-1, 3) is no cell"),
        ((1.5, 3), "(1.5, 3) is no cell"),
        ((True, 3), "(True, 3) is no cell"),
        ((np.array([1, 2]), 3), "([1, 2], 3) is no cell"),
        ((np.int64(12), np.int64(0)), "(12, 0) is no cell of a board of 12 x 12"),
        ((object(), 3), "(a object, 3) is no cell"),
    ],
)
def test_what_cannot_be_placed_is_not_taken_and_says_why(cell: Any, reason: str) -> None:
    sheet = a_sheet()
    assert not sheet.place(*cell)
    assert sheet.reason.startswith(reason)
    assert sheet.why_not_place(*cell) == sheet.reason
    assert sheet.answer() == {"orders": []}
    assert sheet.bank == 20.0
    assert sheet.evolve("jump")
    assert sheet.reason == ""


def a_placement_sheet() -> PlacementSheet:
    dish = a_dish()
    dish.stage = PLACEMENTS[0]
    return PlacementSheet(dish, 1)


NUMBERS = [np.int64, np.uint8, np.float64, np.array, float]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_every_library_are_numbers_on_a_sheet(number: Any) -> None:
    sheet = a_sheet(levels={1: Characteristics(stacking=2, jump=1)})
    x, y = number(2), number(3)
    assert (sheet.cost(x, y), sheet.height(x, y), sheet.ceiling(x, y)) == (1, 1, 1)
    assert sheet.place(x, y), sheet.reason
    assert sheet.evolve(np.str_("attack"))
    assert sheet.forecast([(x, y)]) == sheet.forecast([(2, 3)])
    orders: Any = sheet.answer()["orders"]
    assert orders == [["place", 2, 3], ["evolve", "attack"]]
    assert [type(part) for order in orders for part in order] == [str, int, int, str, str]


@pytest.mark.parametrize("target", [[5, 5], (np.int64(5), 5.0), np.array([5, 5])])
def test_the_target_of_a_special_is_a_cell_in_numbers_of_every_library(target: Any) -> None:
    dish = block(a_dish(turn=7), 1, 2, 2)
    dish.apply(ev.Selected(1, Special.NUKE))
    dish.turn = 8
    sheet = OrderSheet(dish, 1)
    assert sheet.use(np.str_("NUKE"), target), sheet.reason
    assert sheet.answer()["use"] == {"special": "NUKE", "target": (5, 5)}


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_every_library_are_numbers_in_a_placement(number: Any) -> None:
    sheet = a_placement_sheet()
    assert sheet.bid(number(3)), sheet.reason
    assert sheet.center(number(5), number(6)), sheet.reason
    assert sheet.answer() == {"bid": 3, "centers": [(5, 6)]}
    assert [type(part) for part in (sheet.current_bid, *sheet.centers[0])] == [int] * 3


@pytest.mark.parametrize("bid", [True, 1.5, "3", None, -1, np.array([1, 2])])
def test_a_bid_that_is_no_whole_number_is_refused(bid: Any) -> None:
    sheet = a_placement_sheet()
    assert not sheet.bid(bid)
    assert sheet.reason.startswith("a bid is a whole number, not ")


def test_costs_and_heights_are_those_of_all_cells_at_once() -> None:
    sheet = a_sheet(points=5, levels={1: Characteristics(stacking=2, jump=1)})
    while True:
        board = [(x, y) for y in range(12) for x in range(12)]
        free = [cell for cell in board if sheet.why_not_place(*cell) is None]
        assert sheet.costs() == {cell: sheet.cost(*cell) for cell in free}
        assert sheet.heights() == {cell: h for cell in board if (h := sheet.height(*cell))}
        if not free:
            break
        assert sheet.place(*free[0])
    assert sheet.points == 0


def test_an_empty_bank_takes_nothing_more() -> None:
    sheet = a_sheet(points=1, levels={1: Characteristics(stacking=3)})
    assert sheet.place(2, 2)
    assert not sheet.place(2, 2)
    assert sheet.reason == "costs 1, the bank has 0.000"


def test_evolution_counts_for_later_lines() -> None:
    sheet = a_sheet()
    assert not sheet.place(4, 4)
    assert sheet.to_next_level("jump") == 1
    assert sheet.evolve("jump")
    assert sheet.levels.jump == 1
    assert sheet.place(4, 4)


def test_a_level_is_bought_as_a_whole_or_not_at_all() -> None:
    sheet = a_sheet(points=5, levels={1: Characteristics(stacking=1, jump=1)})
    assert sheet.to_next_level("jump") == 3
    assert sheet.evolve_level("jump")
    assert (sheet.levels.jump, sheet.points) == (2, 2)
    assert not sheet.evolve_level("jump")
    assert sheet.reason == "the next level costs 5, the bank has 2.000"
    assert not sheet.evolve_level("stacking")
    assert sheet.points == 2
    sheet = a_sheet(points=50)
    assert sheet.evolve_level("jump")
    assert not sheet.evolve_level("jump")
    assert sheet.reason == "it has risen a level this turn already"


@pytest.mark.parametrize("name", ["wings", "", "JUMP"])
def test_an_unknown_characteristic_is_told(name: str) -> None:
    sheet = a_sheet()
    assert not sheet.evolve(name)
    assert "is none of attack, defense, jump" in sheet.reason
    assert not sheet.evolve_level(name)


def test_a_sheet_is_full_some_time() -> None:
    sheet = a_sheet(points=2_000, levels={1: Characteristics(stacking=50)})
    assert all(sheet.evolve("attack") for _ in range(3))
    taken = sum(sheet.place(x, y) for _ in range(200) for x in (1, 2, 3) for y in (1, 2, 3))
    assert taken == 9 * 49
    sheet = a_sheet(points=2_000, levels={1: Characteristics(stacking=200)})
    taken = sum(sheet.place(x, y) for _ in range(200) for x in (1, 2, 3) for y in (1, 2, 3))
    assert taken == MAX_ORDERS
    assert sheet.reason == "1000 orders are the most of a turn"


def test_specials_are_checked_before_they_are_sent() -> None:
    dish = block(block(a_dish(turn=8), 1, 2, 2), 2, 8, 8)
    sheet = OrderSheet(dish, 1)
    assert not sheet.use("NUKE", (5, 5))
    assert sheet.reason == "is not selected; nothing is"
    assert sheet.select("NUKE")
    assert sheet.answer() == {"orders": [], "select": "NUKE"}
    dish.turn = 7
    dish.apply(ev.Selected(1, Special.NUKE))
    dish.turn = 8
    sheet = OrderSheet(dish, 1)
    assert not sheet.use("NUKE", 2)
    assert not sheet.use("NUKE", (5, 12))
    assert not sheet.use("nuke", (5, 5))
    assert sheet.use("NUKE", (5, 5))
    assert not sheet.select("NUKE")
    assert sheet.reason == "it was used already"
    assert not sheet.select("nuke")
    assert sheet.reason == sheet.why_not_select("nuke") == sheet.why_not_armed("nuke")
    assert sheet.reason.startswith("'nuke' is none of SHELL, BLIGHT")
    assert sheet.why_not_select("SHELL") is sheet.why_not_armed("NUKE") is None
    assert sheet.select("SHELL")
    assert sheet.answer() == {
        "orders": [],
        "use": {"special": "NUKE", "target": (5, 5)},
        "select": "SHELL",
    }


def test_a_placement_sheet_checks_bids_and_centers() -> None:
    dish = block(a_dish(terrain={(5, 5): DIP}), 2, 8, 8)
    dish.stage = PLACEMENTS[0]
    sheet = PlacementSheet(dish, 1)
    for bid in (21, -1, 1.5, True):
        assert not sheet.bid(bid)  # type: ignore[arg-type]
    assert sheet.bid(3)
    assert sheet.bank == 17.0
    for x, y in ((0, 0), (5, 4), (8, 9), (12, 3)):
        assert not sheet.center(x, y)
        assert sheet.reason == sheet.why_not_center(x, y)
    assert sheet.center(2, 2)
    assert sheet.center(3, 8)
    assert sheet.answer() == {"bid": 3, "centers": [(2, 2), (3, 8)]}


def test_a_forecast_grows_dies_comes_down_and_yields() -> None:
    dish = block(
        a_dish(terrain={(2, 2): CENTER}, levels={1: Characteristics(stacking=3, jump=1)}), 1, 2, 2
    )
    sheet = OrderSheet(dish, 1)
    assert sheet.forecast().production == 1.4
    assert sheet.growth() == []
    for _ in range(2):
        sheet.place(2, 2)
    assert sheet.forecast().heights[2, 2] == 2  # 3 is too high for its neighbors
    assert sheet.forecast().production == 1.7
    assert sheet.place(4, 2)
    forecast = sheet.forecast()
    assert forecast.grown == []
    assert (4, 2) in forecast.heights
    assert sheet.forecast(also=[(0, 0)]).died == [(0, 0)]
    assert sheet.answer()["orders"] == [["place", 2, 2]] * 2 + [["place", 4, 2]]


def test_a_forecast_counts_with_the_levels_that_the_orders_evolve() -> None:
    dish = block(block(a_dish(terrain={(2, 2): CENTER}), 1, 2, 2), 2, 5, 2)
    sheet = OrderSheet(dish, 1)
    assert sheet.evolve("productivity")
    assert sheet.forecast().production == 1.54
    # rules 5.5: the stack in a cell of team 2 grows, since stacking has risen to 2.
    dish.layer(1)[2 * 12 + 4] = 1
    for cell in ((3, 1), (3, 2), (3, 3), (4, 1)):
        dish.layer(1)[cell[1] * 12 + cell[0]] = 1
    sheet = OrderSheet(dish, 1)
    assert (4, 2) not in sheet.growth()
    assert sheet.evolve_level("stacking")
    assert (4, 2) in sheet.growth()
    assert dish.team(1).levels == Characteristics(stacking=1)


def test_a_stack_is_raised_to_its_ceiling_and_stays_so_high() -> None:
    sheet = a_sheet(levels={1: Characteristics(stacking=2)})
    assert (sheet.ceiling(2, 2), sheet.ceiling(1, 1), sheet.ceiling(9, 9)) == (2, 1, 1)
    assert sheet.place(2, 2)
    assert sheet.forecast().heights[2, 2] == 2
    for cell in ((1, 1), (2, 1), (3, 1), (1, 2), (3, 2), (1, 3), (2, 3), (3, 3)):
        assert sheet.place(*cell)
    assert sheet.ceiling(2, 2) == 2  # its neighbors would carry 3, the stacking level does not
    with pytest.raises(IndexError, match="is no cell"):
        sheet.ceiling(12, 0)


def test_a_forecast_does_not_count_on_cells_of_others() -> None:
    dish = block(block(a_dish(levels={1: Characteristics(stacking=3, jump=1)}), 1, 2, 2), 2, 5, 2)
    sheet = OrderSheet(dish, 1)
    assert sheet.place(4, 2)
    assert (4, 2) not in sheet.forecast().heights


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**9), jump=st.integers(0, 2), points=st.integers(0, 40))
def test_whatever_a_sheet_takes_is_carried_out(seed: int, jump: int, points: int) -> None:
    dice = Random(seed)
    levels = {1: Characteristics(stacking=2, jump=jump)}
    dish = block(block(a_dish(points=points, levels=levels), 1, 3, 3), 2, 8, 8)
    sheet, taken = OrderSheet(dish, 1), 0
    for _ in range(30):
        if dice.random() < 0.3:
            taken += sheet.evolve(str(dice.choice([*Characteristic])))
        else:
            taken += sheet.place(dice.randrange(-1, 13), dice.randrange(-1, 13))
    parsed = parse(dish, sheet.answer())
    assert isinstance(parsed, Orders)
    assert len(parsed.orders) == taken
    assert of_type(run(dish, allocate, {1: parsed}), ev.Skipped) == []
    assert dish.team(1).bank == round(sheet.bank * 1_000)
    assert dish.team(1).levels == sheet.levels


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**9))
def test_a_forecast_comes_true_where_nobody_else_is(seed: int) -> None:
    dice = Random(seed)
    levels = {1: Characteristics(stacking=3, jump=2)}
    terrain = {(x, y): DIP for x in range(0, 12, 3) for y in range(12)}
    dish: Dish = block(a_dish(points=30, levels=levels, terrain=terrain), 1, 5, 5)
    sheet = OrderSheet(dish, 1)
    for _ in range(20):
        sheet.place(dice.randrange(1, 10), dice.randrange(1, 10))
    forecast = sheet.forecast()
    parsed = parse(dish, sheet.answer())
    assert not isinstance(parsed, Refusal | Placement)
    for _, stage in TURN:
        run(dish, stage, {1: parsed})
    assert heights(dish, 1) == forecast.heights
    assert dish.team(1).production == round(forecast.production * 1_000)
