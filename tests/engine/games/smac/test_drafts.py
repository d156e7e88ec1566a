"""What a person's clicks amount to: costs, reasons, and an answer of which nothing is skipped."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Ask, Draft, RefusedLine
from engine.games.smac import events as ev
from engine.games.smac.drafts import (
    MAX_LINES,
    CharacteristicOption,
    ForecastShown,
    Hint,
    OrdersShown,
    PlacementShown,
    SpecialOption,
)
from engine.games.smac.game import Smac
from engine.games.smac.orders import MAX_ORDERS, ORDERS, PLACEMENTS, Orders
from engine.games.smac.pieces import Special
from engine.games.smac.placement import free_centers
from engine.games.smac.rules import TURN
from engine.games.smac.settings import Characteristic, Characteristics
from engine.games.smac.specials import TargetKind
from engine.games.smac.state import Dish
from engine.games.smac.terrain import CENTER, DIP
from engine.match import play_match
from engine.observer import Observer
from engine.spec import MatchSpec
from tests.cases import for_each
from tests.contract.playing import garbage
from tests.engine.games.smac.dishes import a_dish, block, of_type, run
from tests.engine.games.smac.strategies import seeds, settings_of_short_matches
from tests.engine.seats import Recorder, ScriptedSeat, copy_over_wire

GAME = Smac()
Lines = list[Any]
ROOM = {1: Characteristics(stacking=2, jump=1)}


def draft(dish: Dish, *lines: Any, team: int = 1) -> Draft:
    drafted = GAME.draft(dish, Ask(team), list(lines))
    assert drafted is not None
    return drafted


def show_orders(dish: Dish, *lines: Any) -> OrdersShown:
    """Return what a draft shows of which no line is refused."""
    drafted = draft(dish, *lines)
    assert drafted.refused == ()
    assert isinstance(drafted.shows, OrdersShown)
    return drafted.shows


def show_placement(dish: Dish, *lines: Any) -> PlacementShown:
    shows = draft(dish, *lines).shows
    assert isinstance(shows, PlacementShown)
    return shows


def reasons(dish: Dish, *lines: Any) -> dict[int, str]:
    return {line.place: line.reason for line in draft(dish, *lines).refused}


def a_field(**more: Any) -> Dish:
    return block(a_dish(**more), 1, 2, 2)


def a_placement_round(**more: Any) -> Dish:
    dish = a_dish(**more)
    dish.stage = PLACEMENTS[0]
    return dish


def with_special(special: Special) -> Dish:
    """A dish of turn 8 in which team 1 has this special armed."""
    dish = block(a_field(turn=7), 2, 8, 8)
    dish.apply(ev.Selected(1, special))
    dish.turn = 8
    return dish


# -- a turn ---------------------------------------------------------------------------------


def test_reloading_shows_what_there_is_at_the_start_of_the_turn() -> None:
    drafted = draft(a_field(levels=ROOM, points=7))
    assert (drafted.answer, drafted.refused) == ({"orders": []}, ())
    shows = drafted.shows
    assert isinstance(shows, OrdersShown)
    assert shows.bank == 7.0
    assert shows.heights == tuple((x, y, 1) for y in (1, 2, 3) for x in (1, 2, 3))
    near, far = range(1, 4), range(5)
    assert shows.costs == tuple(
        (x, y, 1 if x in near and y in near else 2) for y in far for x in far
    )


def test_10_4_placing_at_distance_2_costs_3_and_twice_6() -> None:
    dish = a_field(levels={1: Characteristics(stacking=2, jump=2)}, points=9)
    assert (5, 5, 3) in show_orders(dish).costs
    shows = show_orders(dish, ["place", 5, 5], ["place", 5, 5])
    assert shows.bank == 3.0
    assert (5, 5, 2) in shows.heights
    assert (5, 5) not in {(x, y) for x, y, _ in shows.costs}  # rules 5.3: the stacking level
    assert reasons(dish, *[["place", 5, 5]] * 3) == {2: "the stack there has 2, the stacking level"}
    assert reasons(dish, ["place", 6, 6]) == {0: "beyond reach with jump level 2"}


def test_4_2_an_evolution_widens_the_reach_of_later_lines() -> None:
    dish = a_field(points=4)
    assert reasons(dish, ["place", 4, 4], ["evolve", "jump"], ["place", 4, 4]) == {
        0: "beyond reach with jump level 0"
    }
    assert (4, 4, 2) in show_orders(dish, ["evolve", "jump"]).costs


def test_10_3_a_characteristic_at_this_turns_limit_is_marked() -> None:
    dish = a_field(points=30, levels={1: Characteristics(stacking=1, attack=1)})
    seven: Lines = [["evolve", "attack"]] * 7
    assert show_orders(dish, *seven[:6]).characteristics["attack"] == CharacteristicOption(
        level=2,
        to_next_level=2,
        is_at_limit=False,
        why_not=None,
        why_not_level="it has risen a level this turn already",
    )
    refusal = "it would rise to level 3, from 1 at the start of the turn"
    assert show_orders(dish, *seven).characteristics["attack"] == CharacteristicOption(
        level=2, to_next_level=1, is_at_limit=True, why_not=refusal, why_not_level=refusal
    )
    assert reasons(dish, *seven, ["evolve", "attack"]) == {7: refusal}
    assert reasons(dish, *[["evolve", "defense"]] * 4).keys() == {3}  # 0 points: at most 3


def test_where_nothing_can_be_placed_a_draft_says_what_to_evolve() -> None:
    """Rules 5.3: with jump 0 and stacking 1 a team can place nowhere in its first turn."""
    begun = show_orders(a_field(points=20))
    assert begun.costs == ()
    assert begun.hint == Hint(
        "You can place nowhere yet: every cell that jump level 0 reaches is at stacking level 1. "
        "Evolve jump or stacking first.",
        (Characteristic.JUMP, Characteristic.STACKING),
    )
    for line in (["evolve_level", "jump"], ["evolve_level", "stacking"]):
        evolved = show_orders(a_field(points=20), line)
        assert evolved.costs
        assert evolved.hint is None


@pytest.mark.parametrize(
    ("points", "missing"),
    [(2, None), (3, (Characteristic.JUMP,)), (4, (Characteristic.JUMP, Characteristic.STACKING))],
)
def test_a_level_is_hinted_at_if_a_stack_can_be_paid_after_it(points: int, missing: Any) -> None:
    hint = show_orders(a_field(points=points)).hint
    assert (hint and hint.characteristics) == missing


def test_an_empty_bank_is_no_limit_of_the_turn() -> None:
    option = show_orders(a_field(points=0)).characteristics["jump"]
    assert not option.is_at_limit
    assert option.why_not == option.why_not_level == "costs 1, the bank has 0.000"


def test_a_level_is_one_line_and_one_undo() -> None:
    dish = a_field(points=5, levels={1: Characteristics(stacking=1, jump=1)})
    drafted = draft(dish, ["evolve_level", "jump"])
    assert drafted.answer == {"orders": [["evolve", "jump"]] * 3}
    assert show_orders(dish, ["evolve_level", "jump"]).bank == 2.0
    assert reasons(dish, ["evolve_level", "jump"], ["evolve_level", "stacking"]) == {
        1: "the next level costs 3, the bank has 2.000"
    }


def test_a_bank_is_shown_to_the_thousandth() -> None:
    dish = a_field(levels=ROOM)
    dish.team(1).bank = 2_345
    assert show_orders(dish, ["place", 2, 2]).bank == 1.345


def test_a_forecast_counts_what_was_placed_and_evolved() -> None:
    dish = block(a_dish(terrain={(2, 2): CENTER, (4, 2): DIP}), 1, 2, 2)
    assert show_orders(dish).forecast == ForecastShown(((4, 2),), (), 1.4)  # rules 10.2, 10.5
    shows = show_orders(dish, ["evolve", "productivity"], ["evolve_level", "stacking"])
    assert shows.forecast.production == 1.54
    raised = show_orders(dish, ["evolve_level", "stacking"], ["place", 2, 2])
    assert raised.forecast.production == 1.7
    lost = show_orders(dish, ["evolve", "jump"], ["place", 0, 0])
    assert (0, 0) in lost.forecast.died


# -- specials -------------------------------------------------------------------------------


def test_8_1_a_special_is_selected_armed_and_used() -> None:
    dish = a_field(turn=6)
    before = show_orders(dish).specials["NUKE"]
    assert before == SpecialOption(
        target=TargetKind.CELL,
        is_used=False,
        is_selected=False,
        is_armed=False,
        why_not_use="is not selected; nothing is",
        why_not_select=None,
    )
    assert draft(dish, ["select", "NUKE"]).answer == {"orders": [], "select": "NUKE"}
    dish.apply(ev.Selected(1, Special.NUKE))
    chosen = show_orders(dish).specials["NUKE"]
    assert (chosen.is_selected, chosen.is_armed) == (True, False)
    assert chosen.why_not_use == "was selected in turn 6 and is armed from the next one on"
    dish.turn = 7
    armed = show_orders(dish).specials["NUKE"]
    assert (armed.is_armed, armed.why_not_use) == (True, None)
    dish.apply(ev.SpecialUsed(1, Special.NUKE, 0, None, ()))
    used = show_orders(dish).specials["NUKE"]
    assert (used.is_used, used.why_not_select) == (True, "it was used already")
    early = show_orders(a_field(turn=5)).specials["SHELL"]
    assert early.why_not_select == "specials can be selected from turn 6 on"


@pytest.mark.parametrize(
    ("special", "kind", "right", "wrong"),
    [
        ("SHELL", "nothing", [], [2]),
        ("BLIGHT", "team", [2], [1]),
        ("ENRICH", "cell", [[0, 0]], [2]),
        ("BLOOM", "cell", [[4, 4]], [None]),
        ("SPORE", "cell", [[5, 5]], [[0, 5]]),
        ("NUKE", "cell", [[11, 11]], [[12, 11]]),
    ],
)
def test_8_2_and_8_3_a_draft_says_what_a_special_is_aimed_at(
    special: str, kind: str, right: Lines, wrong: Lines
) -> None:
    dish = with_special(Special(special))
    assert show_orders(dish).specials[special].target == kind
    assert draft(dish, ["use", special, *right]).refused == ()
    assert reasons(dish, ["use", special, *wrong]).keys() == {0}
    answer: Any = draft(dish, ["use", special, *wrong], ["use", special, *right]).answer
    assert answer["use"]["special"] == special


def test_the_last_use_counts_and_the_next_special_can_be_selected_beside_it() -> None:
    dish = with_special(Special.NUKE)
    lines: Lines = [["use", "NUKE", [1, 1]], ["use", "NUKE", [8, 8]], ["select", "SHELL"]]
    assert draft(dish, *lines).answer == {
        "orders": [],
        "use": {"special": "NUKE", "target": (8, 8)},
        "select": "SHELL",
    }
    assert show_orders(dish, *lines).specials["NUKE"].why_not_select == "it was used already"


def test_a_special_is_not_used_where_a_selection_would_be_refused_for_it() -> None:
    dish = with_special(Special.NUKE)
    refusal = "NUKE is to be selected this turn, and then could not be: it was used already"
    assert reasons(dish, ["select", "NUKE"], ["use", "NUKE", [8, 8]]) == {1: refusal}
    assert show_orders(dish, ["select", "NUKE"]).specials["NUKE"].why_not_use == refusal
    assert reasons(dish, ["select", "NUKE"], ["select", "SHELL"], ["use", "NUKE", [8, 8]]) == {}


# -- placement rounds -----------------------------------------------------------------------


def test_9_2_the_last_bid_counts_and_centers_keep_their_order() -> None:
    dish = a_placement_round()
    drafted = draft(dish, ["bid", 9], ["center", 9, 9], ["bid", 3], ["center", 2, 2])
    assert (drafted.answer, drafted.refused) == ({"bid": 3, "centers": [(9, 9), (2, 2)]}, ())
    shows = drafted.shows
    assert isinstance(shows, PlacementShown)
    assert (shows.bank, shows.bid, shows.centers) == (17.0, 3, ((9, 9), (2, 2)))
    cells = {(x, y) for x in range(1, 11) for y in range(1, 11)}
    assert set(shows.free_centers) == cells
    assert reasons(dish, ["bid", 21], ["bid", -1], ["bid", True], ["center", 0, 4]) == {
        0: "the bank has 20",
        1: "a bid is a whole number, not -1",
        2: "a bid is a whole number, not True",
        3: "its 3 x 3 cells are not all on the board",
    }


def test_10_1_the_second_center_is_8_from_the_first() -> None:
    dish = block(a_placement_round(side=20), 1, 5, 5)
    dish.team(1).centers.append(5 * 20 + 5)
    dish.stage = PLACEMENTS[1]
    assert reasons(dish, ["center", 13, 5], ["center", 12, 5]) == {
        1: "is 7 from the first center; 8 is the least"
    }
    free = show_placement(dish).free_centers
    assert free == tuple((cell % 20, cell // 20) for cell in free_centers(dish, 1))
    assert ((13, 5) in free, (12, 5) in free) == (True, False)


# -- whatever lines come --------------------------------------------------------------------


@for_each(
    "line",
    [
        [],
        None,
        "place",
        ["place", 1],
        ["place", 2, 2, 2],
        ["place", "2", 2],
        ["place", True, 2],
        ["place", 10**5000, 2],
        ["place", float("nan"), 2],
        ["evolve"],
        ["evolve", ["jump"]],
        ["evolve", "wings"],
        ["evolve", "JUMP"],
        ["evolve_level", None],
        ["evolve_level", "\x1b[31m" * 1000],
        ["use", {}, 2],
        ["use", "NUKE", {"x": 1}],
        ["use", "NUKE", [1, 2, 3]],
        ["use", "NUKE", 10**5000],
        ["use", "NUKE", "here", "there"],
        ["select", "nuke"],
        ["select", ["NUKE"]],
        ["bid", 3],
        {"place": [2, 2]},
        [[["place", 2, 2]]],
    ],
)
def test_a_line_that_is_none_is_refused_with_a_reason_and_changes_nothing(line: Any) -> None:
    dish = with_special(Special.NUKE)
    refused = draft(dish, line).refused
    assert [one.place for one in refused] == [0]
    assert 0 < len(refused[0].reason) < 300
    assert refused[0].reason.isprintable()
    changed = draft(dish, line, ["evolve", "jump"])
    assert (changed.answer, changed.shows) == (
        draft(dish, ["evolve", "jump"]).answer,
        draft(dish, ["evolve", "jump"]).shows,
    )


@pytest.mark.parametrize("lines", [None, 5, "place", {"place": [1, 1]}])
def test_lines_that_are_no_list_are_refused(lines: Any) -> None:
    for dish in (a_field(), a_placement_round()):
        drafted = GAME.draft(dish, Ask(1), lines)
        assert drafted is not None
        assert drafted.refused[0].reason.startswith("a draft is a list of lines, not ")
        assert drafted.answer == draft(dish).answer


def test_a_draft_has_so_many_lines_at_most() -> None:
    lines = [["evolve", "wings"]] * MAX_LINES + [["evolve", "jump"]] * 2
    drafted = draft(a_field(), *lines)
    assert drafted.answer == {"orders": []}
    assert drafted.refused[-1] == RefusedLine(
        MAX_LINES, "1000 lines are the most; this one and those after it were not read"
    )
    assert len(drafted.refused) == MAX_LINES + 1


def test_a_level_that_does_not_fit_among_the_orders_is_refused_as_a_whole() -> None:
    dish = a_field(points=2_000, levels={1: Characteristics(stacking=200, jump=9)})
    places: Lines = [["place", x, y] for x in (1, 2, 3) for y in (1, 2, 3)] * 111
    assert len(places) == MAX_ORDERS - 1
    drafted = draft(dish, *places, ["evolve_level", "jump"])
    assert drafted.refused == (RefusedLine(999, "1000 orders are the most of a turn"),)
    full = show_orders(dish, *places, ["evolve", "jump"])
    assert full.costs == ()
    assert full.characteristics["jump"].why_not == "1000 orders are the most of a turn"


def test_nothing_is_drafted_when_the_match_is_over() -> None:
    dish = a_field()
    dish.stage = "victory"
    assert GAME.draft(dish, Ask(1), []) is None


def some_lines(dish: Dish, dice: Random, junk: Lines) -> Lines:
    """Lines that a person could click, some of them refused, among others that nobody could."""
    return [
        dice.choice(junk) if junk and dice.random() < 0.1 else a_line(dish, dice)
        for _ in range(dice.randrange(15))
    ]


def a_line(dish: Dish, dice: Random) -> Any:
    cell = [dice.randrange(-1, dish.side), dice.randrange(-1, dish.side)]
    if dish.stage != ORDERS and dice.random() < 0.9:
        return dice.choice([["bid", dice.randrange(8)], ["center", *cell]])
    special, name = str(dice.choice([*Special])), str(dice.choice([*Characteristic]))
    aims: list[Lines] = [[], [dice.randrange(4)], [cell]]
    lines: list[Lines] = [
        ["place", *cell],
        ["place", *cell],
        ["evolve", name],
        ["evolve_level", name],
        ["select", special],
        ["use", special, *dice.choice(aims)],
    ]
    return dice.choice(lines)


class Allowed(Observer):
    """Notes what a match skipped of drafts, but for centers that another team took first."""

    def __init__(self) -> None:
        self.skipped: list[str] = []
        self.decided_asks = 0

    def on_decision(self, asks: Any, orders: Any) -> None:
        for order in orders:
            assert (order.skips, order.more, GAME.find_refusals(order)) == ((), 0, None)
        self.decided_asks += len(asks)

    def on_event(self, event: Any) -> None:
        if isinstance(event, ev.Skipped):
            reasons = [skip.reason for skip in event.skips]
            self.skipped += [one for one in reasons if not one.startswith("another team is in")]


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(board=settings_of_short_matches(), seed=seeds, junk=st.lists(garbage, max_size=4))
def test_whatever_lines_come_what_a_draft_accepts_is_carried_out(
    board: Any, seed: int, junk: Lines
) -> None:
    dice = Random(seed)

    def answer(ask: Ask, known: Dish) -> Any:
        lines, before = some_lines(known, dice, junk), copy_over_wire(known)
        drafted = draft(known, *lines, team=ask.team)
        assert known == before
        refused = {line.place for line in drafted.refused}
        accepted = [line for place, line in enumerate(lines) if place not in refused]
        again = draft(known, *accepted, team=ask.team)
        assert again == Draft(drafted.answer, (), drafted.shows)
        return msgspec.json.decode(msgspec.json.encode(drafted.answer))

    teams = dice.choice(GAME.team_counts)
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=GAME.limits,
        bots=tuple("abcdef"[:teams]),
        seed=seed,
    )
    watcher = Allowed()
    play_match(GAME, spec, [ScriptedSeat(answer) for _ in range(teams)], [watcher])
    assert watcher.skipped == []
    assert watcher.decided_asks


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(board=settings_of_short_matches(), seed=seeds)
def test_7_1_a_draft_is_made_from_what_the_team_knows_alone(board: Any, seed: int) -> None:
    dice, recorder, asked = Random(seed), Recorder(), set[int]()

    def answer(ask: Ask, known: Dish) -> Any:
        lines = some_lines(known, dice, [])
        drafted = draft(known, *lines, team=ask.team)
        asked.add(ask.team)
        assert drafted == draft(recorder.state, *lines, team=ask.team)
        return drafted.answer

    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=GAME.limits,
        bots=("one", "other"),
        seed=seed,
    )
    play_match(GAME, spec, [ScriptedSeat(answer) for _ in range(2)], [recorder])
    assert asked == {1, 2}


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds)
def test_a_draft_forecasts_what_comes_true_where_nobody_else_is(seed: int) -> None:
    dice = Random(seed)
    terrain = {(x, y): DIP for x in range(0, 12, 3) for y in range(12)}
    dish = block(a_dish(points=40, levels=ROOM, terrain=terrain | {(5, 5): CENTER}), 1, 5, 5)
    drafted = draft(dish, *[a_line(dish, dice) for _ in range(30)])
    assert isinstance(drafted.shows, OrdersShown)
    order = GAME.check(dish, Ask(1), drafted.answer)
    assert isinstance(order, Orders)
    events = [event for _, stage in TURN for event in run(dish, stage, {1: order})]
    assert of_type(events, ev.Skipped) == []
    assert dish.team(1).production == round(drafted.shows.forecast.production * 1_000)
    died = [cell for event in of_type(events, ev.Died) for cell in event.cells]
    assert [(cell % 12, cell // 12) for cell in died] == list(drafted.shows.forecast.died)
