"""Answers of strangers (docs/rules/smac.md 9)."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Refusal
from engine.games.smac.events import Skipped
from engine.games.smac.orders import (
    MAX_ORDERS,
    MAX_SKIPS,
    PLACEMENTS,
    Evolve,
    Orders,
    Place,
    Placement,
    Use,
    brief_repr,
    parse,
)
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.rules import TURN, allocate, use_specials
from engine.games.smac.settings import Characteristic
from engine.games.smac.state import Dish
from tests.cases import for_each
from tests.engine.games.smac.dishes import a_dish, block, of_type, run


def dish_at_stage(stage: str = "orders") -> Dish:
    dish = block(block(a_dish(), 1, 2, 2), 2, 8, 8)
    dish.stage = stage
    return dish


def skips(answer: Any, stage: str = "orders") -> list[Skip]:
    order = parse(dish_at_stage(stage), answer)
    assert not isinstance(order, Refusal)
    return list(order.skips)


def test_9_1_orders_as_the_rules_write_them() -> None:
    answer = {
        "orders": [["evolve", "jump"], ["place", 7, 6]],
        "use": {"special": "NUKE", "target": [11, 9]},
        "select": "BLOOM",
    }
    assert parse(dish_at_stage(), answer) == Orders(
        (Evolve(Characteristic.JUMP), Place(7, 6)), Use(Special.NUKE, (11, 9)), Special.BLOOM
    )


@pytest.mark.parametrize("answer", [{}, {"orders": []}, {"use": None, "select": None}])
def test_9_1_all_parts_may_be_missing(answer: Any) -> None:
    assert parse(dish_at_stage(), answer) == Orders()


@pytest.mark.parametrize("target", [[3, 4], 2, None])
def test_9_1_a_target_is_a_cell_a_team_or_nothing(target: Any) -> None:
    order = parse(dish_at_stage(), {"use": {"special": "NUKE", "target": target}})
    assert isinstance(order, Orders)
    assert order.use == Use(Special.NUKE, tuple(target) if isinstance(target, list) else target)


def test_9_2_a_placement_as_the_rules_write_it() -> None:
    for stage in PLACEMENTS:
        answer = {"bid": 3, "centers": [[5, 5], [6, 9]]}
        assert parse(dish_at_stage(stage), answer) == Placement(3, ((5, 5), (6, 9)))
        assert parse(dish_at_stage(stage), {}) == Placement()


@for_each(
    "answer",
    [
        None,
        [],
        "place",
        7,
        1.5,
        True,
        {"order": []},
        {"orders": {}},
        {"orders": "x"},
        {"bid": 1},
        {1: 2},
    ],
)
def test_9_3_what_is_no_answer_as_a_whole_is_refused(answer: Any) -> None:
    refusal = parse(dish_at_stage(), answer)
    assert isinstance(refusal, Refusal)
    assert refusal.reason.isprintable()


@pytest.mark.parametrize("answer", [None, [], {"orders": []}, {"centers": 5}, {"centers": "ab"}])
def test_9_3_so_it_is_in_the_placement_rounds(answer: Any) -> None:
    assert isinstance(parse(dish_at_stage(PLACEMENTS[0]), answer), Refusal)


def test_9_3_a_refusal_says_what_was_expected() -> None:
    assert parse(dish_at_stage(), [1]) == Refusal(
        "an answer must be an object with orders, use, select, not [1]"
    )
    assert parse(dish_at_stage(), {"orderz": []}) == Refusal(
        "'orderz' is not a key of an answer; expected orders, use, select"
    )
    assert parse(dish_at_stage(), {"orders": 5}) == Refusal("'orders' must be a list, not 5")


@for_each(
    "order, said, reason",
    [
        (["evolve", "wings"], "evolve 'wings'", "is none of attack, defense, jump"),
        (["evolve", 3], "evolve 3", "is none of attack"),
        (["evolve"], "['evolve']", "is neither"),
        (["place", 12, 0], "place 12 0", "off the board of 12 x 12"),
        (["place", -1, 0], "place -1 0", "off the board"),
        (["place", 10**30, 0], "place a huge number 0", "off the board"),
        (["place", 1.0, 2], "place 1.0 2", "a cell is two whole numbers"),
        (["place", True, 2], "place True 2", "a cell is two whole numbers"),
        (["place", None, "x"], "place None 'x'", "a cell is two whole numbers"),
        (["place", 1], "['place', 1]", "is neither"),
        (["place", 1, 2, 3], "a list", "is neither"),
        ("place", "'place'", "is neither"),
        (None, "None", "is neither"),
        ({"place": 1}, "an object", "is neither"),
        ([[[[]]]], "[a list]", "is neither"),
        (["PLACE", 1, 2], "['PLACE', 1, 2]", "is neither"),
    ],
)
def test_9_4_a_malformed_order_is_skipped_and_the_rest_stands(
    order: Any, said: str, reason: str
) -> None:
    parsed = parse(dish_at_stage(), {"orders": [["place", 1, 1], order, ["evolve", "jump"]]})
    assert isinstance(parsed, Orders)
    assert parsed.orders == (Place(1, 1), Evolve(Characteristic.JUMP))
    ((skip),) = parsed.skips
    assert skip.order == said
    assert skip.reason.startswith(reason)


@pytest.mark.parametrize("bid", [True, 1.0, "3", None, -1, 10**30, [1], float("nan")])
def test_9_4_a_bid_that_is_no_number_is_none(bid: Any) -> None:
    answer = {"bid": bid, "centers": [[5, 5]]}
    parsed = parse(dish_at_stage(PLACEMENTS[0]), answer)
    assert isinstance(parsed, Placement)
    assert (parsed.bid, parsed.centers) == (0, ((5, 5),))
    assert parsed.skips[0].reason == "a bid is a whole number of points, 0 or more"


@for_each(
    "use",
    [
        5,
        "NUKE",
        {},
        {"special": "nuke"},
        {"special": ["NUKE"]},
        {"special": "NUKE", "at": [1, 2]},
        {"special": "NUKE", "target": [1]},
        {"special": "NUKE", "target": [1, 99]},
        {"special": "NUKE", "target": "all"},
        {"special": "NUKE", "target": True},
        {"special": "NUKE", "target": 1.5},
    ],
)
def test_9_4_a_malformed_special_is_skipped(use: Any) -> None:
    parsed = parse(dish_at_stage(), {"orders": [["evolve", "jump"]], "use": use})
    assert isinstance(parsed, Orders)
    assert (len(parsed.orders), parsed.use, len(parsed.skips)) == (1, None, 1)


@pytest.mark.parametrize("select", [5, "nuke", [], {"special": "NUKE"}, True])
def test_9_4_a_malformed_selection_is_skipped(select: Any) -> None:
    assert len(skips({"select": select})) == 1


def test_9_4_a_thousand_orders_are_read_and_the_others_counted() -> None:
    parsed = parse(dish_at_stage(), {"orders": [["evolve", "jump"]] * 10_000})
    assert isinstance(parsed, Orders)
    assert len(parsed.orders) == MAX_ORDERS
    assert parsed.skips == (Skip("orders 1001 to 10000", "1000 is the most"),)
    assert parsed.more == 10_000 - MAX_ORDERS - 1


def test_9_4_a_thousand_centers_are_read() -> None:
    parsed = parse(dish_at_stage(PLACEMENTS[0]), {"centers": [[1, 1]] * 5_000})
    assert isinstance(parsed, Placement)
    assert len(parsed.centers) == MAX_ORDERS
    assert parsed.more == 5_000 - MAX_ORDERS - 1


def test_9_4_twenty_reasons_are_given_and_the_others_counted() -> None:
    parsed = parse(dish_at_stage(), {"orders": [["fly"]] * 500})
    assert isinstance(parsed, Orders)
    assert (len(parsed.skips), parsed.more) == (MAX_SKIPS, 500 - MAX_SKIPS)


def test_9_4_ten_thousand_orders_make_one_event_of_twenty_reasons() -> None:
    dish = dish_at_stage()
    parsed = parse(dish, {"orders": [["place", 0, 11], ["fly"]] * 5_000})
    assert isinstance(parsed, Orders)
    events = run(dish, allocate, {1: parsed})
    (skipped,) = of_type(events, Skipped)
    assert len(skipped.skips) == MAX_SKIPS
    assert len(skipped.skips) + skipped.more == 10_000
    assert skipped.more == dish.team(1).skips.more  # type: ignore[union-attr]


def test_9_4_a_team_reads_all_that_was_skipped_in_a_turn() -> None:
    dish = dish_at_stage()
    parsed = parse(dish, {"orders": [["fly"]], "use": {"special": "NUKE", "target": [5, 5]}})
    assert isinstance(parsed, Orders)
    run(dish, allocate, {1: parsed})
    run(dish, use_specials, {1: parsed})
    known = dish.team(1).skips
    assert known is not None
    assert [skip.order for skip in known.skips] == ["['fly']", "use NUKE"]
    assert known.turn == dish.turn


def test_what_strangers_send_is_shown_in_a_few_printable_letters() -> None:
    deep: Any = []
    for _ in range(sys.getrecursionlimit() * 3):
        deep = [deep]
    values = ("x" * 10**6, "\x1b[2J\n", deep, [deep] * 3, 10**5_000, {"a": deep}, [1] * 10**5)
    for value in values:
        words = brief_repr(value)
        assert 0 < len(words) < 150
        assert words.isprintable()


garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
numbers = st.integers(-2, 13) | garbage
order = (
    garbage
    | st.tuples(st.just("place"), numbers, numbers).map(list)
    | st.tuples(st.just("evolve"), st.sampled_from([*map(str, Characteristic)]) | garbage).map(list)
)
specials = st.sampled_from([*map(str, Special)]) | garbage
use = garbage | st.fixed_dictionaries(
    {"special": specials}, optional={"target": garbage | st.tuples(numbers, numbers).map(list)}
)
answers = st.fixed_dictionaries(
    {}, optional={"orders": st.lists(order, max_size=30), "use": use, "select": specials}
)
placements = st.fixed_dictionaries(
    {},
    optional={
        "bid": numbers,
        "centers": st.lists(st.tuples(numbers, numbers).map(list) | garbage, max_size=30),
    },
)


@given(answer=answers)
def test_nothing_in_an_answer_of_the_right_form_breaks_a_turn(answer: Any) -> None:
    dish = dish_at_stage()
    dish.turn = 9
    parsed = parse(dish, answer)
    assert isinstance(parsed, Orders)
    given = dict.fromkeys((1, 2), parsed)
    found = [event for _, stage in TURN for event in run(dish, stage, given)]
    for skipped in of_type(found, Skipped):
        assert len(skipped.skips) <= MAX_SKIPS
        for skip in skipped.skips:
            assert (skip.order + skip.reason).isprintable()
            assert len(skip.order) < 200
            assert len(skip.reason) < 200
    assert all(team.bank is not None and team.bank >= 0 for team in dish.teams)


@given(answer=placements)
def test_nothing_in_a_placement_of_the_right_form_breaks_it(answer: Any) -> None:
    parsed = parse(dish_at_stage(PLACEMENTS[0]), answer)
    assert isinstance(parsed, Placement)
    assert 0 <= parsed.bid <= 10**6


@given(answer=garbage)
def test_any_answer_is_an_order_or_a_refusal(answer: Any) -> None:
    for stage in ("orders", *PLACEMENTS):
        assert isinstance(parse(dish_at_stage(stage), answer), Orders | Placement | Refusal)
