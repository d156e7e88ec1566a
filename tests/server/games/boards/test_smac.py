"""What the page of SMAC is told of the dish."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from engine.fault import Cause, Fault
from engine.game import Event, MatchEnded, Stage
from engine.games.smac import events as ev
from engine.games.smac.game import Smac
from engine.games.smac.orders import ORDERS, PLACEMENTS, Orders, Use
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.rules import play_stage
from engine.games.smac.settings import Characteristic, Characteristics, Settings
from engine.games.smac.sheets import OrderSheet, PlacementSheet
from engine.games.smac.state import Dish, new_dish
from engine.games.smac.terrain import ACID, BASE, CENTER, DIP, HILL, SUGAR
from engine.spec import MatchSpec
from engine.stepper import Stepper
from engine.streams import Streams
from server.games.boards.smac import (
    CHARACTERISTIC_WORDS,
    SPECIAL_WORDS,
    BoardShown,
    CellChange,
    TerrainShown,
    board,
    happened,
    view,
)
from tests.engine.games.smac.dishes import a_dish, block
from visualizer.backends.page.document import WEB
from visualizer.scenes.smac.themes import TEAM_COLORS

SmacStepper = Stepper[Any, Any, Any]
GAME = Smac()


class Played:
    """A match by dice, with what each viewer was told."""

    def __init__(self, seed: int, decisions: int, **settings: Any) -> None:
        self.told: dict[int | None, list[Event]] = {1: [], 2: [], None: []}
        spec = MatchSpec(
            game=GAME.name,
            rules_version=GAME.rules_version,
            settings=Settings(**settings),
            limits=GAME.limits,
            bots=("one", "two"),
            seed=seed,
        )
        listeners = {viewer: events.append for viewer, events in self.told.items()}
        self.stepper: SmacStepper = Stepper(GAME, spec, listeners=listeners)
        self.stepper.begin()
        dice = Random(seed)
        for _ in range(decisions):
            self.decide(dice)

    def decide(self, dice: Random) -> None:
        for ask in list(self.stepper.open_asks):
            answer = an_answer(self.stepper.known[ask.team], ask.team, dice)
            self.stepper.take(ask, self.stepper.check(ask, answer))

    def board(self, viewer: int | None) -> BoardShown:
        return board(self.stepper.known[viewer], viewer, self.told[viewer])


def an_answer(dish: Dish, team: int, dice: Random) -> object:
    if dish.stage != ORDERS:
        placement = PlacementSheet(dish, team)
        placement.bid(dice.randrange(3))
        return placement.answer()
    sheet = OrderSheet(dish, team)
    for _ in range(12):
        costs = list(sheet.costs())
        if costs and dice.random() < 0.7:
            sheet.place(*dice.choice(costs))
        else:
            sheet.evolve(dice.choice(list(Characteristic)))
    selection = dish.team(team).selection
    if selection and selection.special:
        sheet.use(selection.special, (dice.randrange(2, 10), dice.randrange(2, 10)))
    sheet.select(dice.choice(list(Special)))
    return sheet.answer()


def shown(dish: Dish, team: int | None = 1, *events: Event) -> BoardShown:
    return board(dish, team, events)


def test_only_cells_with_stacks_are_told() -> None:
    dish = a_dish("A2 . b1\n. A1b2 .", terrain={(0, 0): BASE | SUGAR})
    assert [(cell.x, cell.y, cell.owner, cell.heights) for cell in shown(dish).cells] == [
        (0, 0, 1, (2, 0)),
        (2, 0, 0, (0, 1)),
        (1, 1, 1, (1, 2)),
    ]


def test_a_cell_tells_what_it_is_worth_to_its_owner() -> None:
    """Rules 5.7, 5.8, 5.13 to 5.15: BASE and SUGAR at raw height 2, productivity 3, defense 1."""
    levels = {1: Characteristics(productivity=3, defense=1, stacking=2)}
    dish = a_dish("A2", terrain={(0, 0): BASE | SUGAR | HILL}, levels=levels)
    (cell,) = shown(dish).cells
    assert cell.effective_height == 3
    assert cell.production == pytest.approx(1.7 * 1.3)
    assert cell.defense == 1 + 3 + 2 + 2


def test_a_stack_that_nobody_owns_yet_is_worth_nothing() -> None:
    (cell,) = shown(a_dish("b1")).cells
    assert (cell.owner, cell.effective_height, cell.production, cell.defense) == (0, 0, 0.0, 0)
    assert cell.is_new


def test_terrain_is_told_by_name() -> None:
    dish = a_dish(terrain={(1, 0): CENTER, (3, 2): ACID | DIP})
    assert shown(dish).terrain == (
        TerrainShown(1, 0, ("SUGAR", "HILL", "BASE")),
        TerrainShown(3, 2, ("DIP", "ACID")),
    )


def test_a_team_is_told_its_own_bank_and_points_and_no_others() -> None:
    played = Played(seed=5, decisions=4)
    own = played.board(1).own
    assert own is not None
    assert own.bank == played.stepper.state.team(1).bank / 1_000
    assert own.points == played.stepper.state.team(1).points._asdict()
    assert played.board(None).own is None


def test_a_selected_special_is_armed_from_the_next_turn_on() -> None:
    dish = a_dish("A1", turn=6)
    dish.apply(ev.Selected(1, Special.NUKE))
    own = shown(dish).own
    assert own is not None
    assert (own.selected, own.is_armed) == (Special.NUKE, False)
    dish.turn = 7
    own = shown(dish).own
    assert own is not None
    assert (own.selected, own.is_armed) == (Special.NUKE, True)


def test_skipped_orders_are_told_in_the_turn_after_and_no_longer() -> None:
    dish, skip = a_dish("A1", turn=3), Skip("place 1 1", "beyond reach")
    dish.apply(ev.Skipped(1, (skip,), 0))
    for turn, skips in ((4, (skip,)), (5, ())):
        dish.turn = turn
        own = shown(dish).own
        assert own is not None
        assert own.skips == skips


def test_teams_have_levels_cells_and_their_share_of_production() -> None:
    dish = block(block(a_dish(levels={2: Characteristics(attack=2, stacking=1)}), 1, 2, 2), 2, 8, 8)
    dish.apply(ev.Produced((1_500, 4_500)))
    first, second = shown(dish, None).teams
    assert (first.share_pct, second.share_pct) == (25.0, 75.0)
    assert (second.production, second.cells, second.highest) == (4.5, 9, 1)
    assert second.levels["attack"] == 2


def test_before_the_first_production_nobody_has_a_share() -> None:
    assert [team.share_pct for team in shown(a_dish()).teams] == [0.0, 0.0]


def test_the_threshold_is_told_once_production_can_win() -> None:
    assert shown(a_dish(turn=14)).threshold_pct is None
    assert shown(a_dish(turn=16)).threshold_pct == 58


def test_every_characteristic_and_special_has_its_words() -> None:
    assert list(CHARACTERISTIC_WORDS) == list(Characteristic)
    assert list(SPECIAL_WORDS) == list(Special)


def test_there_are_no_news_before_the_first_decision() -> None:
    assert Played(seed=1, decisions=0).board(1).news is None


def test_a_placement_round_tells_who_settled_where() -> None:
    played = Played(seed=1, decisions=1)
    news = played.board(1).news
    assert news is not None
    assert (news.turn, news.decision, news.before) == (1, PLACEMENTS[0], ())
    (stage,) = news.stages
    settled = [one for one in stage.happenings if one.kind == "settled"]
    assert sorted(one.team for one in settled) == [1, 2]
    assert all(len(one.reports) == 9 for one in settled)
    assert len(stage.changes) == 18


def test_bids_are_told_to_their_own_team_alone() -> None:
    told = [ev.Bid(1, 2, 18_000), Stage(1, PLACEMENTS[1])]
    news = happened(new_dish(Settings(), 2), [Stage(1, PLACEMENTS[0]), *told])
    assert news is not None
    assert [(one.kind, one.team, one.words) for one in news.stages[0].happenings] == [
        ("bid", 1, "bid 2")
    ]
    played = Played(seed=1, decisions=2)
    bids = {one.team for one in happenings(played.board(2)) if one.kind == "bid"}
    assert bids <= {2}


def happenings(told: BoardShown) -> list[Any]:
    return [one for stage in told.news.stages for one in stage.happenings] if told.news else []


@pytest.mark.parametrize("seed", range(4))
def test_the_stages_lead_from_the_cells_before_to_those_now(seed: int) -> None:
    """Whoever replays the news on the page ends with the board as it is."""
    played = Played(seed=seed, decisions=2)
    dice = Random(seed)
    for _ in range(8):
        played.decide(dice)
        for viewer in played.told:
            told = played.board(viewer)
            assert told.news is not None
            cells = {(cell.x, cell.y): cell for cell in told.news.before}
            for stage in told.news.stages:
                cells |= {(cell.x, cell.y): cell for cell in stage.changes}
            assert {place: cell for place, cell in cells.items() if any(cell.heights)} == {
                (cell.x, cell.y): CellChange(cell.x, cell.y, cell.owner, cell.heights)
                for cell in told.cells
            }


def test_news_name_the_stages_in_which_something_happened() -> None:
    news = Played(seed=2, decisions=4).board(1).news
    assert news is not None
    assert (news.turn, news.decision) == (2, ORDERS)
    names = [stage.name for stage in news.stages]
    assert names[0] == "allocation"
    assert "production" in names
    assert all(stage.happenings for stage in news.stages)


def a_turn(dish: Dish, orders: dict[int, Orders | Fault]) -> list[Event]:
    """Play a turn on a dish, and return the events with those that lead to it."""
    begin = Stage(dish.turn, ORDERS)
    stacks = msgspec.json.decode(msgspec.json.encode(dish), type=Dish)
    events: list[Event] = [begin]
    given = [orders.get(team, Orders()) for team in dish.playing]
    for event in play_stage(dish, given, Streams(1)):
        dish.apply(event)
        events.append(event)
    return [*founding(stacks), *events]


def founding(dish: Dish) -> list[Event]:
    """Return events that make an empty dish into this one."""
    terrain = [cell for cell, kind in enumerate(dish.terrain) if kind]
    events: list[Event] = [
        ev.TerrainLaid(tuple(terrain), tuple(dish.terrain[cell] for cell in terrain))
    ]
    for number, team in enumerate(dish.teams, 1):
        layer = dish.layer(number)
        cells = tuple(cell for cell, height in enumerate(layer) if height)
        owned = tuple(cell for cell in cells if dish.owners[cell] == number)
        assert team.bank is not None
        assert team.points is not None
        events += [
            ev.Endowed(number, team.bank, team.points),
            ev.Rose(number, team.levels),
            ev.Placed(number, cells, tuple(layer[cell] for cell in cells), owned),
        ]
        if team.selection and team.selection.special:
            events += [
                Stage(team.selection.turn, "specials"),
                ev.Selected(number, team.selection.special),
            ]
    return events


def reports_at(told: BoardShown, x: int, y: int) -> tuple[str, ...]:
    (words,) = [one.words for one in told.reports if (one.x, one.y) == (x, y)]
    return words


def test_a_fight_is_reported_in_its_cell() -> None:
    dish = block(block(a_dish(side=12), 1, 2, 2), 2, 6, 2)
    dish.layer(2)[2 * 12 + 3] = 1
    events = a_turn(dish, {})
    told = shown(dish, None, *events)
    words = reports_at(told, 3, 2)
    assert any(" beat team " in sentence and "round" in sentence for sentence in words)
    fights = [one for one in happenings(told) if one.kind == "fought"]
    assert [one.words for one in fights] == ["won the fight at 3, 2"]
    assert (3, 2) in told.unusual


def test_a_death_is_told_with_its_cell() -> None:
    dish = a_dish("A1 . .\n. . .", side=12)
    block(dish, 2, 8, 8)
    block(dish, 1, 8, 3)
    told = shown(dish, 2, *a_turn(dish, {}))
    assert reports_at(told, 0, 0) == ("team 1: the stack died without support",)
    assert ("died", 1, "lost 1 stack without support") in [
        (one.kind, one.team, one.words) for one in happenings(told)
    ]


def test_a_nuke_is_told_with_what_it_removed() -> None:
    dish = block(block(a_dish(side=12, turn=8), 1, 2, 2), 2, 8, 8)
    block(dish, 2, 8, 3)
    dish.team(1).selection = msgspec.structs.replace(
        dish.team(1).selection or pytest.fail("no selection"), special=Special.NUKE, turn=6
    )
    told = shown(dish, None, *a_turn(dish, {1: Orders(use=Use(Special.NUKE, (8, 3)))}))
    said = [(one.kind, one.team, one.words) for one in happenings(told)]
    assert ("special", 1, "used NUKE at 8, 3") in said
    assert ("cleared", 2, "had 9 stacks wiped out") in said
    assert reports_at(told, 8, 3) == (
        "team 1 used NUKE here",
        "team 2: the stack was wiped out",
    )
    assert told.teams[0].used == (Special.NUKE,)


def test_a_team_without_orders_is_told_why() -> None:
    dish = block(block(a_dish(side=12), 1, 2, 2), 2, 8, 8)
    told = shown(dish, 1, *a_turn(dish, {1: Fault(Cause.LATE, "after three days")}))
    assert ("lost", 1, f"gave no orders: {Cause.LATE}") in [
        (one.kind, one.team, one.words) for one in happenings(told)
    ]


def test_a_cell_that_was_grown_into_is_taken_in_combat() -> None:
    """Rules 2.4: a cell first entered in growth has an owner only after combat."""
    dish = block(block(a_dish(side=12, terrain={(4, 1): DIP}), 1, 2, 2), 2, 8, 8)
    dish.layer(1)[2 * 12 + 4] = 1
    dish.owners[2 * 12 + 4] = 1
    told = shown(dish, None, *a_turn(dish, {}))
    assert reports_at(told, 4, 1)[:2] == ("team 1 grew: height 1", "team 1 took the cell")


def test_a_reduced_stack_is_told() -> None:
    dish = block(block(a_dish(side=12, levels={1: Characteristics(stacking=3)}), 1, 2, 2), 2, 8, 8)
    dish.layer(1)[2 * 12 + 2] = 3
    told = shown(dish, None, *a_turn(dish, {}))
    assert reports_at(told, 2, 2) == ("team 1: too high for its neighbors, reduced to height 2",)


def test_the_news_of_the_last_turn_end_with_the_outcome() -> None:
    dish = block(a_dish(side=12), 1, 2, 2)
    told = shown(dish, None, *a_turn(dish, {}))
    assert told.ending is not None
    kinds = [one.kind for one in happenings(told)]
    assert kinds[-2:] == ["out", "ended"]
    assert told.news is not None
    assert told.news.stages[-1].name == "victory"


def test_a_match_that_is_over_shows_its_last_decision() -> None:
    events: list[Event] = [
        Stage(1, PLACEMENTS[0]),
        Stage(1, ORDERS),
        Stage(1, "victory"),
        MatchEnded((1.0, 2.0), "production"),
    ]
    news = happened(new_dish(Settings(), 2), events)
    assert news is not None
    assert (news.decision, [stage.name for stage in news.stages]) == (ORDERS, ["victory"])


def test_the_page_is_told_as_json() -> None:
    played = Played(seed=3, decisions=5)
    told = view(played.stepper.known[1], 1, (1,), [played.told[1]])
    assert told == played.board(1)
    decoded = msgspec.json.decode(msgspec.json.encode(told))
    assert decoded["own"]["bank"] == played.board(1).own.bank  # type: ignore[union-attr]
    assert {"name", "happenings", "changes"} == decoded["news"]["stages"][0].keys()


def test_the_public_is_not_told_what_is_private() -> None:
    """Rules 7.1: banks, points, selected specials, skipped orders and bids are a team's own."""
    played = Played(seed=4, decisions=10)
    public = msgspec.json.encode(played.board(None)).decode()
    assert '"own":null' in public
    for kind in ("bid", "skipped", "selected", "lost"):
        assert f'"kind":"{kind}"' not in public


STYLE = (WEB / "boards/smac.css").read_text("utf-8")
TEAM_STYLE = re.compile(r"\.team-(\d) \{ --team: (#\w+); --stack: (#\w+); --on-team: (#\w+); \}")


def test_teams_have_the_colors_of_the_scene_and_figures_that_can_be_read() -> None:
    """WCAG 2.2, 1.4.3: small text has a contrast of 4.5 to 1 at least."""
    styles = TEAM_STYLE.findall(STYLE)
    assert [style[1] for style in styles] == list(TEAM_COLORS)
    assert all(contrast(stack, figure) >= 4.5 for _, _, stack, figure in styles)


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    shares = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
