"""Levels and allocation (docs/rules/smac.md 4, 5A)."""

from collections import Counter
from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.games.smac import events as ev
from engine.games.smac.allocation import Account
from engine.games.smac.orders import Order
from engine.games.smac.pieces import Skip
from engine.games.smac.rules import allocate, fight_all
from engine.games.smac.settings import Characteristic, Characteristics, compute_levels
from engine.games.smac.state import Dish
from engine.games.smac.terrain import DIP
from tests.engine.games.smac.dishes import a_dish, heights, of_type, orders, owned_cells, run

CORNER = "A1 A1 A1\nA1 A1 A1\nA1 A1 A1"
EVOLVE = ["evolve", "jump"]


def levels(**own: int) -> dict[int, Characteristics]:
    """Return the levels of team 1, by team."""
    return {1: Characteristics(**{"stacking": 1, **own})}


def allot(dish: Dish, *lines: Any, seed: int = 1) -> list[Any]:
    """Play the allocation of team 1's orders alone."""
    return run(dish, allocate, {1: orders(dish, *lines)}, seed)


def reasons(events: list[Any]) -> list[str]:
    return [skip.reason for event in of_type(events, ev.Skipped) for skip in event.skips]


def test_4_1_there_are_seven_characteristics() -> None:
    assert Characteristics._fields == tuple(str(name) for name in Characteristic)
    assert len(Characteristics._fields) == 7


def test_4_2_a_level_is_the_truncated_square_root_of_the_points() -> None:
    points = (0, 1, 3, 4, 8, 9, 15)
    assert compute_levels(Characteristics(*points)) == (0, 1, 1, 2, 2, 3, 3)


def test_4_2_a_point_of_growth_buys_a_point() -> None:
    dish = a_dish(CORNER, points=5)
    events = allot(dish, EVOLVE, ["evolve", "attack"])
    assert of_type(events, ev.Invested) == [
        ev.Invested(1, Characteristics(attack=1, jump=1, stacking=1))
    ]
    assert of_type(events, ev.Rose) == [ev.Rose(1, Characteristics(attack=1, jump=1, stacking=1))]
    assert dish.team(1).bank == 3_000


def test_4_2_points_that_make_no_level_are_not_told_to_others() -> None:
    events = allot(a_dish(CORNER, levels=levels(jump=1)), EVOLVE)
    assert of_type(events, ev.Rose) == []
    assert of_type(events, ev.Invested)[0].points.jump == 2


@pytest.mark.parametrize(
    ("level", "given", "carried_out"),
    [
        pytest.param(1, 8, 7, id="10.3 with 1 point at the start up to 7 more"),
        pytest.param(0, 5, 3, id="10.3 with 0 points at most 3"),
        pytest.param(2, 13, 11, id="4.2 with 4 points up to 11 more"),
    ],
)
def test_10_3_and_4_2_a_characteristic_rises_one_level_a_turn(
    level: int, given: int, carried_out: int
) -> None:
    dish = a_dish(CORNER, levels=levels(jump=level), points=100)
    events = allot(dish, *[EVOLVE] * given)
    assert of_type(events, ev.Invested)[0].points.jump == level * level + carried_out
    assert dish.team(1).levels.jump == level + 1
    assert dish.team(1).bank == 100_000 - 1_000 * carried_out  # what is refused costs nothing
    assert len(reasons(events)) == given - carried_out


def test_4_3_with_jump_0_only_own_cells_can_be_placed_in() -> None:
    dish = a_dish(CORNER, levels=levels(stacking=2))
    account = Account(dish, 1)
    legal = {c for c in range(len(dish.owners)) if account.why_not_place(c) is None}
    assert legal == {y * dish.side + x for x in range(3) for y in range(3)}


def test_4_4_no_stack_is_placed_beyond_the_stacking_level() -> None:
    dish = a_dish(CORNER, levels=levels(stacking=2))
    events = allot(dish, ["place", 1, 1], ["place", 1, 1])
    assert heights(dish, 1)[1, 1] == 2
    assert reasons(events) == ["the stack there has 2, the stacking level"]


def test_5_1_orders_are_carried_out_in_passes_by_pinit() -> None:
    """Team 1 has the initiative, but its second order comes after the first of team 2."""
    for first, owner in (([["place", 5, 5]], 1), ([EVOLVE, ["place", 5, 5]], 2)):
        dish = _two_beside_an_empty_cell(pinit=(1, 0))
        run(dish, allocate, {1: orders(dish, *first), 2: orders(dish, ["place", 5, 5])})
        assert dish.owners[5 * dish.side + 5] == owner
        assert heights(dish, 1)[5, 5] == heights(dish, 2)[5, 5] == 1


def test_5_1_equal_pinit_is_a_toss_of_a_coin_in_each_pass() -> None:
    won: Counter[int] = Counter()
    for seed in range(300):
        dish = _two_beside_an_empty_cell(pinit=(0, 0))
        both = {team: orders(dish, EVOLVE, ["place", 5, 5]) for team in (1, 2)}
        run(dish, allocate, both, seed)
        won[dish.owners[5 * dish.side + 5]] += 1
    assert min(won.values()) > 110


def test_5_1_an_order_that_is_skipped_takes_up_no_place_in_a_pass() -> None:
    dish = _two_beside_an_empty_cell(pinit=(1, 0))
    first = orders(dish, ["place", 0, 0], ["fly"], ["place", 5, 5])
    run(dish, allocate, {1: first, 2: orders(dish, ["place", 5, 5])})
    assert dish.owners[5 * dish.side + 5] == 1


def test_5_1_what_changes_is_told_per_team_in_the_order_of_the_cells() -> None:
    dish = a_dish(CORNER, levels=levels(jump=1, stacking=2))
    events = allot(dish, ["place", 3, 0], ["place", 2, 2], ["place", 0, 0], ["place", 3, 0])
    cells = (0, 3, 2 * dish.side + 2)
    assert events == [
        ev.Placed(1, cells, (2, 2, 2), (3,)),
        ev.Banked(1, 20_000 - 2 * 2_000 - 2 * 1_000),
    ]


def test_5_2_evolution_works_at_once_for_later_orders() -> None:
    dish = a_dish(CORNER)
    allot(dish, ["place", 3, 0], EVOLVE, ["place", 3, 0], ["evolve", "stacking"])
    assert (3, 0) in heights(dish, 1)
    dish = a_dish(CORNER)
    allot(dish, *[["evolve", "stacking"]] * 3, ["place", 1, 1])
    assert heights(dish, 1)[1, 1] == 2


def test_5_2_the_passes_go_by_the_pinit_of_the_start_of_the_turn() -> None:
    won = set()
    for seed in range(40):
        dish = _two_beside_an_empty_cell(pinit=(0, 0))
        evolving = orders(dish, ["evolve", "pinit"], ["place", 5, 5])
        waiting = orders(dish, EVOLVE, ["place", 5, 5])
        run(dish, allocate, {1: evolving, 2: waiting}, seed)
        won.add(dish.owners[5 * dish.side + 5])
    assert won == {1, 2}


@pytest.mark.parametrize(
    ("jump", "cell", "cost"),
    [
        (0, (1, 1), 1),
        (1, (3, 0), 2),
        (1, (3, 3), 2),
        (2, (4, 2), 3),
        (3, (2, 5), 4),
        (0, (3, 0), None),
        (2, (5, 5), None),
    ],
)
def test_5_3_a_placement_costs_one_more_than_its_distance(
    jump: int, cell: tuple[int, int], cost: int | None
) -> None:
    dish = a_dish(CORNER, levels=levels(jump=jump, stacking=3))
    account = Account(dish, 1)
    assert account.placement_cost(cell[1] * dish.side + cell[0]) == cost


def test_5_3_the_distance_is_that_to_the_cells_of_the_start_of_the_turn() -> None:
    dish = a_dish(CORNER, levels=levels(jump=1))
    events = allot(dish, ["place", 3, 0], ["place", 4, 0])
    assert reasons(events) == ["beyond reach with jump level 1"]


def test_5_3_the_bank_must_hold_the_cost_and_illegal_orders_are_free() -> None:
    dish = a_dish(CORNER, levels=levels(jump=2), points=4)
    events = allot(dish, ["place", 4, 0], ["place", 4, 1], ["evolve", "attack"])
    assert of_type(events, ev.Skipped) == [
        ev.Skipped(1, (Skip("place 4 1", "costs 3, the bank has 1.000"),), 0)
    ]
    assert dish.team(1).bank == 0


def test_5_3_empty_own_enemy_and_terrain_cells_can_be_placed_in() -> None:
    dish = a_dish("A1 B1\n. .", levels=levels(jump=1, stacking=2), terrain={(1, 1): DIP})
    cells = [(0, 0), (1, 0), (0, 1), (1, 1)]
    events = allot(dish, *(["place", x, y] for x, y in cells))
    assert heights(dish, 1) == {(0, 0): 2, (1, 0): 1, (0, 1): 1, (1, 1): 1}
    assert reasons(events) == []
    assert owned_cells(dish, 1) == {(0, 0), (0, 1), (1, 1)}  # an enemy cell is not won by placing


def test_5_4_points_that_are_not_spent_stay_to_the_thousandth() -> None:
    dish = a_dish(CORNER, levels=levels(jump=1))
    dish.team(1).bank = 2_499
    allot(dish, ["place", 3, 0], ["evolve", "attack"])
    assert dish.team(1).bank == 499


def test_10_4_at_distance_2_twice_in_the_same_cell() -> None:
    """The order needs jump 2 and stacking 2, and costs 3 each time."""
    dish = a_dish(CORNER, levels=levels(jump=2, stacking=2))
    allot(dish, ["place", 4, 0], ["place", 4, 0], ["place", 4, 0])
    assert heights(dish, 1)[4, 0] == 2
    assert dish.team(1).bank == 14_000


def test_10_11_the_first_in_an_empty_cell_owns_it_and_both_fight() -> None:
    dish = _two_beside_an_empty_cell(pinit=(1, 0))
    run(dish, allocate, {team: orders(dish, ["place", 5, 5]) for team in (1, 2)})
    (report,) = of_type(run(dish, fight_all), ev.Fought)
    assert report.fight.owner == 1
    assert report.fight.heights == (1, 1)


def test_9_3_a_fault_counts_as_no_orders() -> None:
    dish = a_dish(CORNER)
    assert run(dish, allocate, {1: Fault(Cause.TIMEOUT, "")}) == [ev.OrdersLost(1, "timeout")]


def _two_beside_an_empty_cell(pinit: tuple[int, int]) -> Dish:
    dish = a_dish(
        levels={
            team: Characteristics(jump=1, stacking=1, pinit=level)
            for team, level in enumerate(pinit, 1)
        }
    )
    for team, x in ((1, 4), (2, 6)):
        dish.layer(team)[5 * dish.side + x] = 1
        dish.owners[5 * dish.side + x] = team
    return dish


def test_5_1_a_pass_does_not_depend_on_how_many_orders_others_have() -> None:
    """Team 3's orders, far away, change nothing of a toss between the others."""

    def winner(orders_of_third: int, seed: int) -> int:
        dish = a_dish(teams=3, levels={t: Characteristics(jump=1, stacking=1) for t in (1, 2, 3)})
        for team, (x, y) in enumerate([(4, 5), (6, 5), (0, 0)], 1):
            dish.layer(team)[y * dish.side + x] = 1
            dish.owners[y * dish.side + x] = team
        given: dict[int, Order | Fault] = {t: orders(dish, EVOLVE, ["place", 5, 5]) for t in (1, 2)}
        given[3] = orders(dish, *[["evolve", "attack"]] * orders_of_third)
        run(dish, allocate, given, seed)
        return dish.owners[5 * dish.side + 5]

    assert [winner(0, seed) for seed in range(20)] == [winner(3, seed) for seed in range(20)]
