"""Armies of the designer: the file that is written from one, and what is wrong with one."""

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots.local_seat import LocalSeat
from engine.bots.process_seat import SeatConfig
from engine.catalog import find_game
from engine.games.game_of_death.army_files import (
    BadArmy,
    army_in,
    behavior_code,
    file_name,
    lines_before_code,
    source_of_army,
)
from engine.games.game_of_death.behaviors import BEHAVIORS, NUMBERS
from engine.games.game_of_death.designs import parse_design
from engine.games.game_of_death.drawn_armies import (
    WRITTEN,
    DrawnArmy,
    DrawnType,
    Place,
    add_shapes,
    find_mistakes,
    make_design,
    sure_rows,
)
from engine.games.game_of_death.inspection import SideFigures, compute_figures
from engine.games.game_of_death.orders import Design
from engine.games.game_of_death.settings import Settings
from engine.match import inspect_design
from engine.settings import apply_changes, read_toml
from engine.spec import MatchSpec
from runners.configuration import HOME

SMALL_FILE = HOME / "resources/presets/game_of_death/small.toml"
SMALL = apply_changes(Settings(), read_toml(SMALL_FILE), source=str(SMALL_FILE))
BLOCK = DrawnType(name="Block", rows=("##", "##"), behavior="Runner")
DOMINO = DrawnType(name="Domino", rows=("##",), behavior="Hunter", numbers={"least": 1})
OWN = DrawnType(name="Own", rows=("###",), behavior=WRITTEN, code="def update(self):\n    pass\n")


def an_army(*types: DrawnType, at: Any = (), name: str = "Mine") -> DrawnArmy:
    return DrawnArmy(name=name, types=types, placements=tuple(Place(*each) for each in at))


def wrong(army: DrawnArmy) -> list[tuple[str, int | None, int | None]]:
    return [(one.words, one.type, one.placement) for one in find_mistakes(army, SMALL)]


names = st.from_regex(r"\A[A-Z][a-z0-9_]{0,8}\Z").filter(lambda name: name not in ("None", "True"))


@st.composite
def armies(draw: st.DrawFn) -> DrawnArmy:
    """Return an army without a mistake, in as many ways as one can be drawn."""
    types = []
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        width, height = draw(st.integers(1, 6)), draw(st.integers(2, 6))
        behavior = draw(st.sampled_from([*BEHAVIORS, WRITTEN]))
        numbers = {}
        code = ""
        if behavior == WRITTEN:
            words = draw(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"])))
            code = f"words = {words!r}\n\n" + behavior_code(draw(st.sampled_from([*BEHAVIORS])))
        else:
            for one in NUMBERS[BEHAVIORS[behavior]]:
                if draw(st.booleans()):
                    numbers[one.name] = draw(st.integers(one.least, one.most))
        types.append(
            DrawnType(
                name=name,
                rows=("." * width, *["#" * width] * height),
                behavior=behavior,
                numbers=numbers,
                code=code,
            )
        )
    title = draw(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1))
    army = DrawnArmy(name=title[:60], types=tuple(types), placements=())
    for number in range(len(types)):
        army = add_shapes(army, number, draw(st.integers(0, 6)), SMALL)
    return army


@settings(max_examples=60, deadline=None)
@given(armies())
def test_a_file_is_python_and_opens_as_the_army_it_was_written_from(army: DrawnArmy) -> None:
    source = source_of_army(army)
    classes = [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    assert classes == [*(drawn.name for drawn in army.types), "Player"]
    assert army_in(source) == army


@settings(max_examples=60, deadline=None)
@given(armies(), st.sampled_from(SMALL.home_rows(2)))
def test_what_was_filled_in_stands_wherever_the_home_lies(army: DrawnArmy, home_v: int) -> None:
    design = make_design(army, SMALL)
    moved = {
        "types": [[drawn.name, list(drawn.mask), ""] for drawn in design.types],
        "placements": [[each.type, each.u, home_v + each.v] for each in army.placements],
    }
    assert find_mistakes(army, SMALL) == [] or not army.placements
    if army.placements:
        assert isinstance(parse_design(moved, SMALL, home_v), Design)


def test_the_home_and_a_row_around_it_stay_free() -> None:
    large = apply_changes(SMALL, {"max_cells": 2_000}, source="a test")
    army = add_shapes(an_army(DOMINO), 0, 500, large)
    assert find_mistakes(army, large) == []
    beside = [each.v for each in army.placements if 3 <= each.u <= 7]
    assert beside
    assert set(beside).isdisjoint(range(-1, 5))


def test_nothing_is_placed_where_there_are_too_many_cells_already() -> None:
    army = an_army(BLOCK, at=[(0, 20, 0)] * 31)
    assert add_shapes(army, 0, 5, SMALL) == army


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.text("#.x", max_size=6), max_size=6),
    st.text(max_size=6),
    st.lists(st.tuples(st.integers(0, 3), st.integers(-99, 99), st.integers(-99, 99)), max_size=4),
)
def test_nothing_that_is_drawn_breaks_the_inspection(
    rows: list[str], name: str, at: list[tuple[int, int, int]]
) -> None:
    army = an_army(DrawnType(name=name, rows=tuple(rows), behavior="Guard"), BLOCK, at=at)
    assert all(one.words for one in find_mistakes(army, SMALL))
    compute_figures(rows, SMALL)
    add_shapes(army, 0, 5, SMALL)
    add_shapes(army, 1, 5, SMALL)


@pytest.mark.parametrize("home_v", [SMALL.home_rows(2)[0], SMALL.home_rows(2)[-1]])
def test_the_file_places_in_a_match_what_was_drawn(tmp_path: Any, home_v: int) -> None:
    army = add_shapes(an_army(BLOCK, DOMINO, OWN, at=[(0, 29 - 1, 40)]), 1, 5, SMALL)
    path = tmp_path / file_name(army)
    path.write_text(source_of_army(army), encoding="utf-8")
    game = find_game("game_of_death")
    numbers = {"home_row_drawn": False, "home_v": home_v}
    config = SeatConfig(
        name="mine",
        bot=path,
        log=tmp_path / "log",
        team=1,
        game=game.name,
        match_seed=1,
        limits=game.limits,
    )
    spec = MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=apply_changes(SMALL, numbers, source="a test"),
        limits=game.limits,
        bots=("a", "b"),
        seed=1,
    )
    inspection = inspect_design(game, spec, LocalSeat(config, game))
    assert inspection.mistakes == ()
    # The block was drawn below the grid: it stands in its last rows, as near as there is room.
    assert "2 types, 6 shapes, 14 of 120 cells" in inspection.text
    assert any(area.y + area.height == SMALL.height for area in inspection.areas[1:])


def test_figures_are_those_of_the_rules() -> None:
    figures = compute_figures(("#####", "#####"), SMALL)
    assert figures is not None
    assert (figures.size, figures.speed, figures.hp, figures.range) == (10, 4, 20, 20)
    assert figures.sides == (
        SideFigures("forward", "10/2", 5, 2),
        SideFigures("right", "10/5", 2, 1),
        SideFigures("backward", "10/2", 5, 2),
        SideFigures("left", "10/5", 2, 1),
    )
    assert compute_figures(("#.#",), SMALL) is None


def test_every_mistake_says_what_it_is_about() -> None:
    named = DrawnType(name="class", rows=("##",), behavior="Runner")
    apart = DrawnType(name="Apart", rows=("#.#",), behavior="Runner")
    assert wrong(an_army(named, apart, name=" ")) == [
        ("the army needs a name, in one line", None, None),
        (
            (
                "class class: Python, or the file of the army, has another use for this name; "
                "choose another one"
            ),
            0,
            None,
        ),
        (
            (
                "class Apart, row 1, column 3: no edge connects this part with the one at row 1, "
                "column 1"
            ),
            1,
            None,
        ),
    ]
    assert wrong(an_army(BLOCK, at=[(0, 4, 0), (0, 20, 0), (0, 21, 1)])) == [
        ("placement 1 (Block at 4, 28): the cell 4, 28 is taken by the home", None, 0),
        (
            (
                "placement 3 (Block at 21, 29): the cell 21, 29 is taken by placement 2 "
                "(Block at 20, 28)"
            ),
            None,
            2,
        ),
    ]
    assert wrong(an_army(BLOCK)) == [("no shape is placed", None, None)]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"behavior": "Dancer"}, "'Dancer' is no behavior; expected Runner, Hunter"),
        ({"numbers": {"leash": 3}}, "Runner has no number 'leash'; expected starts"),
        ({"numbers": {"starts": -1}}, "sets out in turn: -1; expected 0 to 1000000"),
        ({"behavior": WRITTEN}, "its code is empty; it needs a method update(self)"),
        ({"behavior": WRITTEN, "code": "x\n\x0c"}, "line 2 of its code has a letter that cannot"),
        ({"name": "Player"}, "has another use for this name"),
        ({"name": "_x"}, "the name must begin with a letter"),
        ({"name": "Blöck"}, "has another use for this name"),
        ({"name": "a b"}, "'a b' is not the name of a class"),
    ],
)
def test_what_no_file_could_hold_is_refused_in_words(fields: dict[str, Any], why: str) -> None:
    drawn = DrawnType(**{"name": "Block", "rows": ("##",), "behavior": "Runner", **fields})
    assert any(why in words for words, _, _ in wrong(an_army(drawn, at=[(0, 20, 0)])))


def test_the_numbers_that_were_set_stand_in_the_file() -> None:
    classes = source_of_army(an_army(BLOCK, DOMINO)).split("\n\n\n")[1:3]
    assert ["least = 1" in text for text in classes] == [False, True]


def test_the_line_of_a_file_is_the_line_of_the_code() -> None:
    army = an_army(BLOCK, OWN, DOMINO)
    lines = source_of_army(army).split("\n")
    assert lines[lines_before_code(army, 1)] == "    def update(self):"


def test_the_code_of_each_behavior_is_a_behavior() -> None:
    for behavior in BEHAVIORS:
        assert "def update(self) -> None:" in ast.unparse(ast.parse(behavior_code(behavior)))


def test_rows_in_which_a_shape_always_fits_end_where_the_grid_does() -> None:
    assert sure_rows(SMALL) == range(-12, 16)
    assert sure_rows(SMALL, 3) == range(-12, 14)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("NAME = 1\n", "it was not made by the designer"),
        ("#| {\n", "its data were changed"),
        ('#| {"name": 1}\n', "its data were changed"),
        ("#| " + "[" * 5_000, "its data were changed"),
    ],
)
def test_a_file_that_is_no_army_is_refused_in_words(source: str, why: str) -> None:
    with pytest.raises(BadArmy, match=why):
        army_in(source)


def test_a_file_is_called_as_its_army() -> None:
    assert file_name(an_army(name="My Army!")) == "player_my_army.py"
    assert file_name(an_army(name="Ö")) == "player_army.py"
