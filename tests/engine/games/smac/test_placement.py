"""The placement rounds (docs/rules/smac.md 3)."""

from collections import Counter
from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import Stage
from engine.games.smac import events as ev
from engine.games.smac.game import Smac
from engine.games.smac.orders import PLACEMENTS, Placement, parse
from engine.games.smac.pieces import Skip
from engine.games.smac.placement import free_centers, place_centers, why_not_center
from engine.games.smac.settings import Settings
from engine.games.smac.state import Dish
from engine.games.smac.terrain import CENTER, DIP, SUGAR
from engine.streams import Streams
from tests.engine.advancing import advance
from tests.engine.games.smac.dishes import a_dish, block, heights, of_type, owned_cells

GAME = Smac()
SIDE = 20


def an_empty_dish(teams: int = 2, **more: Any) -> Dish:
    dish = a_dish(side=SIDE, teams=teams, **more)
    dish.stage = PLACEMENTS[0]
    return dish


def settle(dish: Dish, *placements: Placement | Fault, number: int = 1, seed: int = 1) -> list[Any]:
    given = dict(enumerate(placements, 1))
    return advance(dish, place_centers(dish, given, Streams(seed), number))


def wants(*centers: tuple[int, int], bid: int = 0) -> Placement:
    return Placement(bid, centers)


def centers(dish: Dish) -> list[list[tuple[int, int]]]:
    return [[(cell % SIDE, cell // SIDE) for cell in team.centers] for team in dish.teams]


def test_3_1_the_higher_bid_chooses_first_and_both_are_paid() -> None:
    dish = an_empty_dish()
    settle(dish, wants((5, 5), (9, 9)), wants((5, 6), bid=1))
    assert centers(dish) == [[(9, 9)], [(5, 6)]]
    assert [team.bank for team in dish.teams] == [20_000, 19_000]


def test_3_1_equal_bids_are_ordered_by_lot() -> None:
    first: Counter[int] = Counter()
    for seed in range(200):
        dish = an_empty_dish()
        settle(dish, wants((5, 5)), wants((5, 5)), seed=seed)
        first[next(t for t in (1, 2) if centers(dish)[t - 1] == [(5, 5)])] += 1
    assert min(first.values()) > 70


def test_3_1_centers_are_tried_in_order_and_why_one_failed_is_told() -> None:
    dish = an_empty_dish(terrain={(5, 5): DIP})
    events = settle(dish, wants((5, 4), (0, 3), (9, 9), (15, 15)), wants((15, 5)))
    assert centers(dish)[0] == [(9, 9)]
    (skipped,) = of_type(events, ev.Skipped)
    assert [(skip.order, skip.reason) for skip in skipped.skips] == [
        ("center 5 4", "there is terrain in its 3 x 3 cells"),
        ("center 0 3", "its 3 x 3 cells are not all on the board"),
    ]


def test_3_1_without_a_free_center_in_its_list_a_team_gets_one_that_is_drawn() -> None:
    drawn = set()
    for seed in range(30):
        dish = an_empty_dish()
        settle(dish, Fault(Cause.TIMEOUT, ""), wants((0, 0)), seed=seed)
        assert all(len(own) == 1 for own in centers(dish))
        drawn.add(centers(dish)[0][0])
    assert len(drawn) > 20


def test_3_1_where_no_center_is_free_a_team_goes_without() -> None:
    everywhere = {(x, y): SUGAR for x in range(SIDE) for y in range(SIDE)}
    dish = an_empty_dish(terrain=everywhere)
    events = settle(dish, wants((5, 5)), wants((9, 9)))
    assert of_type(events, ev.Settled) == [ev.Settled(1, None, ()), ev.Settled(2, None, ())]


def test_3_1_a_bid_beyond_the_bank_is_no_bid() -> None:
    dish = an_empty_dish()
    events = settle(dish, wants((5, 5), bid=21), wants((5, 6), bid=1))
    assert centers(dish)[1] == [(5, 6)]
    assert of_type(events, ev.Bid) == [ev.Bid(1, 0, 20_000), ev.Bid(2, 1, 19_000)]
    assert of_type(events, ev.Skipped)[0].skips[0] == Skip("bid 21", "the bank has 20")


def test_3_2_a_center_is_free_on_the_board_without_terrain_and_other_teams() -> None:
    dish = block(an_empty_dish(terrain={(10, 10): SUGAR}), 2, 5, 5)
    free = {(cell % SIDE, cell // SIDE) for cell in free_centers(dish, 1)}
    for x in range(SIDE):
        for y in range(SIDE):
            is_inside = 0 < x < SIDE - 1 and 0 < y < SIDE - 1
            is_off_terrain = max(abs(x - 10), abs(y - 10)) > 1
            is_off_team = max(abs(x - 5), abs(y - 5)) > 2
            assert ((x, y) in free) == (is_inside and is_off_terrain and is_off_team)
            assert ((x, y) in free) == (why_not_center(dish, 1, y * SIDE + x) is None)


def test_3_3_all_nine_cells_get_a_stack_and_the_center_becomes_sugar_hill_and_base() -> None:
    dish = an_empty_dish()
    events = settle(dish, wants((5, 5)), wants((12, 12)))
    cells = {(x, y) for x in (4, 5, 6) for y in (4, 5, 6)}
    assert heights(dish, 1) == dict.fromkeys(cells, 1)
    assert owned_cells(dish, 1) == cells
    assert dish.terrain[5 * SIDE + 5] == CENTER
    assert sum(map(bool, dish.terrain)) == 2
    assert of_type(events, ev.Settled)[0].center == 5 * SIDE + 5


def test_3_4_equal_bids_come_in_the_reverse_order_of_the_first_round() -> None:
    for seed in range(20):
        dish = an_empty_dish(3)
        settle(dish, wants((3, 3)), wants((3, 16)), wants((16, 3)), seed=seed)
        order = dish.placement_order
        assert order is not None
        settle(dish, *[wants((12, 12))] * 3, number=2, seed=seed)
        last = order[-1]
        assert [len(own) for own in centers(dish)] == [2, 2, 2]
        assert centers(dish)[last - 1][1] == (12, 12)


def test_3_4_a_higher_bid_of_the_second_round_counts() -> None:
    dish = an_empty_dish()
    settle(dish, wants((3, 3), bid=5), wants((3, 16)))
    settle(dish, wants((12, 12), bid=1), wants((12, 12)), number=2)
    assert centers(dish)[0] == [(3, 3), (12, 12)]


def test_3_4_a_center_that_is_drawn_keeps_its_distance_too() -> None:
    for seed in range(20):
        dish = an_empty_dish()
        settle(dish, wants((5, 5)), wants((14, 14)), seed=seed)
        settle(dish, Placement(), Placement(), number=2, seed=seed)
        assert len(centers(dish)) == 2
        for first, second in centers(dish):
            assert max(abs(first[0] - second[0]), abs(first[1] - second[1])) >= 8


@pytest.mark.parametrize(
    ("second", "distance"),
    [
        pytest.param((13, 5), None, id="10.1 five columns between are enough"),
        pytest.param((12, 5), 7, id="10.1 four are not"),
        pytest.param((5, 13), None, id="10.1 rows as columns"),
        pytest.param((12, 12), 7, id="10.1 diagonally"),
    ],
)
def test_10_1_and_3_4_the_second_center_keeps_its_distance(
    second: tuple[int, int], distance: int | None
) -> None:
    dish = an_empty_dish()
    settle(dish, wants((5, 5)), wants((16, 16)))
    reason = why_not_center(dish, 1, second[1] * SIDE + second[0])
    expected = f"is {distance} from the first center; 8 is the least" if distance else None
    assert reason == expected


def test_3_5_growth_and_combat_follow_the_second_round_and_nothing_else() -> None:
    """A DIP can only grow beside a straight edge of three."""
    dish = an_empty_dish(terrain={(7, 5): DIP})
    dish.stage = PLACEMENTS[1]
    orders = [parse(dish, {"centers": center}) for center in ([[5, 5]], [[14, 14]])]
    events = advance(dish, GAME.play(dish, orders, Streams(1)))  # type: ignore[arg-type]
    assert of_type(events, ev.Grown) == [ev.Grown(1, (5 * SIDE + 7,), (1,))]
    assert of_type(events, ev.Claimed) == [ev.Claimed(1, (5 * SIDE + 7,))]
    assert [event.name for event in of_type(events, Stage)] == [
        "growth",
        "combat",
        "victory",
        "orders",
    ]
    assert heights(dish, 1)[7, 5] == 1  # with three own neighbors; nothing died
    assert GAME.asks(dish)[0].team == 1
    assert (dish.turn, dish.stage) == (1, "orders")


def test_3_6_the_first_bank_is_what_both_bids_have_left() -> None:
    dish = GAME.new(Settings(), 2)
    streams = Streams(3)
    advance(dish, GAME.start(dish, streams))
    advance(dish, GAME.play(dish, [Placement(3), Placement(0)], streams))
    advance(dish, GAME.play(dish, [Placement(4), Placement(20)], streams))
    assert [team.bank for team in dish.teams] == [13_000, 0]
    assert dish.stage == "orders"


def test_3_1_a_match_begins_with_two_rounds_in_which_all_teams_are_asked() -> None:
    dish = GAME.new(Settings(), 4)
    streams = Streams(3)
    advance(dish, GAME.start(dish, streams))
    for stage in PLACEMENTS:
        assert (dish.turn, dish.stage) == (1, stage)
        assert [ask.team for ask in GAME.asks(dish)] == [1, 2, 3, 4]
        advance(dish, GAME.play(dish, [Placement()] * 4, streams))
    assert [len(team.centers) for team in dish.teams] == [2] * 4
