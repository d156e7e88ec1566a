"""Drawings, placements, and every mistake with its place (rules 3)."""

from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import MatchEnded, Refusal, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death import rules
from engine.games.game_of_death.designs import MAX_CODE, find_mistakes, parse_design
from engine.games.game_of_death.frames import Rectangle
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.orders import Design, Placement, TypeDesign
from engine.games.game_of_death.pieces import Shape, ShapeType
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle
from engine.streams import Streams
from tests.cases import for_each

SETTINGS = Settings(home_row_drawn=False)
ILLEGAL = Fault(Cause.ILLEGAL, "why")


def a_design(*masks: list[str], at: list[tuple[int, int, int]]) -> Any:
    types = [[f"Type{number}", mask, "code"] for number, mask in enumerate(masks)]
    return {"types": types, "placements": at}


def refusal_reason(answer: Any, settings: Settings = SETTINGS, home_v: int = 98) -> str:
    refusal = parse_design(answer, settings, home_v)
    assert isinstance(refusal, Refusal)
    return refusal.reason


def a_battle(**numbers: Any) -> tuple[Battle, list[Any]]:
    game = GameOfDeath()
    battle = game.new(Settings(**numbers), 2)
    events = []
    for event in game.start(battle, Streams(1)):
        battle.apply(event)
        events.append(event)
    return battle, events


def deploy(battle: Battle, *orders: Design | Fault) -> list[Any]:
    events = []
    for event in rules.deploy(battle, orders):
        battle.apply(event)
        events.append(event)
    return events


ARMY = Design(
    (TypeDesign("Domino", ("##",), "its code"),), (Placement(0, 20, 30), Placement(0, 40, 5))
)


def test_2_1_2_4_homes_lie_in_the_west_and_the_east() -> None:
    battle, _ = a_battle(home_row_drawn=False, home_v=50)
    assert (battle.home(1), battle.home(2)) == (Rectangle(10, 50, 4, 4), Rectangle(286, 146, 4, 4))


def test_2_4_the_homes_row_is_drawn_in_the_middle_three_fifths_and_told() -> None:
    game, rows = GameOfDeath(), set()
    for seed in range(200):
        battle = game.new(Settings(height=20, home_v=4), 2)
        for event in game.start(battle, Streams(seed)):
            battle.apply(event)
        for team in (1, 2):
            box = battle.home(team)
            assert box is not None
            assert box.y >= 4
            assert box.y + box.height <= 16
        rows.add(battle.home_v)
    assert rows == set(range(4, 13))


def test_2_4_otherwise_it_is_the_settings() -> None:
    _, events = a_battle(home_row_drawn=False, home_v=7)
    assert events == [ev.HomesPlaced(7), Stage(0, "design")]


def test_2_2_2_3_both_armies_stand_alike_in_their_own_frames() -> None:
    battle, _ = a_battle()
    first, second, begun = deploy(battle, ARMY, ARMY)
    types = (ShapeType("Domino", ("##",), "its code", 2),)
    assert first == ev.Deployed(1, types, (Shape(1, 0, 20, 30, 0, 4), Shape(3, 0, 40, 5, 0, 4)))
    assert second == ev.Deployed(
        2, types, (Shape(2, 0, 278, 169, 2, 4), Shape(4, 0, 258, 194, 2, 4))
    )
    assert begun == Stage(1, "decide")


APART = "no edge connects this part with the one at row 1, column 1"
TAKEN = "is taken by placement 1"
ZONE = "is outside the zone, columns 0 to 99"


@pytest.mark.parametrize(
    ("mask", "reason"),
    [
        (["#.", ".#"], f"class Type0, row 2, column 2: {APART}"),
        (["##..##"], f"class Type0, row 1, column 5: {APART}"),
        (["#"], "class Type0: the drawing has 1 cell; a shape has 2 to 500"),
        (["..", ""], "class Type0: the drawing has no cells; a shape has 2 to 500"),
        ([], "class Type0: the drawing has no cells; a shape has 2 to 500"),
        (["#" * 501], "class Type0: the drawing has 501 cells; a shape has 2 to 500"),
        (["##", "#o"], "class Type0, row 2, column 2: 'o' is neither # nor ."),
        (["##", " #"], "class Type0, row 2, column 1: ' ' is neither # nor ."),
    ],
    ids=lambda value: value[0][:6] if isinstance(value, list) and value else None,
)
def test_3_2_a_drawing_hangs_together_and_has_a_size(mask: list[str], reason: str) -> None:
    assert refusal_reason(a_design(mask, at=[(0, 20, 20)])) == reason


@for_each(
    "at, reason",
    [
        ([(0, 99, 20)], f"placement 1 (Type0 at 99, 20): the cell 100, 20 {ZONE}"),
        (
            [(0, 20, 20), (0, -1, 7)],
            "placement 2 (Type0 at -1, 7): the cell -1, 7 is not on the grid",
        ),
        ([(0, 20, 200)], "placement 1 (Type0 at 20, 200): the cell 20, 200 is not on the grid"),
        ([(0, 9, 98)], "placement 1 (Type0 at 9, 98): the cell 10, 98 is taken by the home"),
        (
            [(0, 20, 20), (0, 21, 20)],
            f"placement 2 (Type0 at 21, 20): the cell 21, 20 {TAKEN} (Type0 at 20, 20)",
        ),
        ([(1, 20, 20)], "placement 1: type number 1 does not exist; expected 0 to 0"),
        ([(-1, 20, 20)], "placement 1: type number -1 does not exist; expected 0 to 0"),
        ([], "no shape is placed"),
        (
            [(0, 2 * i, 0) for i in range(251)],
            "the army has 502 cells; 500 are allowed (and 201 more)",
        ),
        (
            [(0, 99, 20), (0, 99, 21), (0, 99, 22)],
            f"placement 1 (Type0 at 99, 20): the cell 100, 20 {ZONE} (and 2 more)",
        ),
    ],
)
def test_3_3_an_illegal_placement_is_told_with_its_place(
    at: list[tuple[int, int, int]], reason: str
) -> None:
    assert refusal_reason(a_design(["##"], at=at)) == reason


def test_3_3_as_many_cells_as_allowed_are() -> None:
    at = [(0, 2 * (i % 50), i // 50) for i in range(250)]
    assert isinstance(parse_design(a_design(["##"], at=at), SETTINGS, 98), Design)


@for_each(
    "answer",
    [
        None,
        "an army",
        [],
        {"types": []},
        {"types": [["A", "##"]], "placements": []},
        {"types": [["A", ["##"], 7]], "placements": []},
        {"types": [["A", ["##"]]], "placements": [[0, 1]]},
        {"types": [["A", ["##"]]], "placements": [[0, 1.5, 2]]},
        {"types": [["A", ["##"]]], "placements": [[0, 10**30, 2]]},
        {"types": [["A", [["##"]]]], "placements": [[0, 1, 2]]},
    ],
)
def test_3_3_what_is_no_design_at_all_is_refused_with_the_place(answer: Any) -> None:
    assert refusal_reason(answer).startswith("not a design of an army: ")


@pytest.mark.parametrize("name", ["", "a b", "1st", "\x1b[2J"])
def test_3_1_a_type_has_the_name_of_a_class(name: str) -> None:
    reason = refusal_reason({"types": [[name, ["##"]]], "placements": [[0, 20, 20]]})
    assert "is not the name of a class" in reason
    assert reason.isprintable()


def test_3_1_how_long_the_name_of_a_class_may_be_is_told() -> None:
    reason = refusal_reason({"types": [["x" * 61, ["##"]]], "placements": [[0, 20, 20]]})
    assert reason == f"class {'x' * 60}: its name has 61 letters; 60 are allowed"


def test_3_1_two_types_have_two_names() -> None:
    twins = {"types": [["A", ["##"]], ["A", ["#", "#"]]], "placements": [[0, 20, 20]]}
    assert refusal_reason(twins) == "class A: there are two types of this name"


def test_3_1_a_drawing_is_trimmed_but_its_mistakes_are_told_as_it_was_drawn() -> None:
    design = parse_design(a_design(["...", ".##"], at=[(0, 20, 20)]), SETTINGS, 98)
    assert isinstance(design, Design)
    assert design.types[0].mask == ("##",)
    assert "row 3, column 4" in refusal_reason(a_design(["....", "##..", "...#"], at=[(0, 20, 20)]))


def test_3_4_the_code_is_kept_and_an_endless_one_cut() -> None:
    answer = {"types": [["A", ["##"], "x" * 100_000]], "placements": [[0, 20, 20]]}
    design = parse_design(answer, SETTINGS, 98)
    assert isinstance(design, Design)
    assert design.types[0].code == "x" * MAX_CODE


def test_every_mistake_is_listed() -> None:
    design = Design((TypeDesign("A", ("##",)),), tuple(Placement(0, 99, row) for row in range(3)))
    assert [wrong[:11] for wrong in find_mistakes(design, SETTINGS, 98)] == [
        "placement 1",
        "placement 2",
        "placement 3",
    ]


def test_3_3_who_has_no_legal_army_loses() -> None:
    battle, _ = a_battle()
    assert deploy(battle, ILLEGAL, ARMY)[-2:] == [
        ev.Deployed(2, *list_things(battle)),
        MatchEnded((0.0, 4.0), "no legal army"),
    ]


def list_things(battle: Battle) -> tuple[Any, Any]:
    return battle.types[1], tuple(battle.shapes.values())


def test_3_3_if_both_have_none_it_is_a_draw() -> None:
    battle, _ = a_battle()
    crash = Fault(Cause.EXCEPTION, "why")
    assert deploy(battle, ILLEGAL, crash) == [
        ev.ArmyRefused(1, "illegal order"),
        ev.ArmyRefused(2, "exception"),
        MatchEnded((0.0, 0.0), "no legal army"),
    ]
