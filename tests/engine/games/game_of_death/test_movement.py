"""Who moves, who is blocked, and how shapes turn (rules 6B)."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.game_of_death import events as ev
from engine.games.game_of_death.geometry import make_geometry
from engine.games.game_of_death.orders import COMMANDS, Command
from engine.games.game_of_death.pieces import Shape, make_shape_id, piece_team, shape_number
from engine.games.game_of_death.state import FREE, Battle
from tests.engine.games.game_of_death.battles import (
    BLOCK,
    CLAMP,
    CORNER,
    DOMINO,
    UPRIGHT,
    Field,
    only,
    play,
    positions,
    rows,
)
from tests.examples import examples

ANY = (DOMINO, UPRIGHT, CORNER, BLOCK, CLAMP, ".#./###/.#.", "####", "#####/#....")


def play_and_list_moved(battle: Battle, orders: dict[int, str]) -> set[int]:
    """Return the shapes that moved."""
    before = positions(battle)
    play(battle, orders)
    return {shape_id for shape_id, place in positions(battle).items() if place != before[shape_id]}


def test_6_8_who_is_not_due_stays() -> None:
    field = Field()
    corner, block = field.put(1, CORNER, 40, 40), field.put(1, BLOCK, 60, 60)
    field.put(2, DOMINO, 200, 20)
    assert play_and_list_moved(field.ready(), {corner: "move left", block: "move left"}) == {corner}


@pytest.mark.parametrize(
    ("facing", "command", "step"),
    [
        (0, "move forward", (1, 0)),
        (0, "move right", (0, 1)),
        (0, "move backward", (-1, 0)),
        (0, "move left", (0, -1)),
        (1, "move forward", (0, 1)),
        (2, "move right", (0, -1)),
        (3, "move left", (-1, 0)),
    ],
)
def test_2_3_directions_are_relative_to_the_heading(
    facing: int, command: str, step: tuple[int, int]
) -> None:
    field = Field()
    domino = field.put(1, DOMINO, 40, 40, facing=facing)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    play(battle, {domino: command})
    assert positions(battle)[domino] == (40 + step[0], 40 + step[1], facing)


@pytest.mark.parametrize(
    ("first", "second", "orders", "moving"),
    [
        pytest.param((5, 0), (6, 2), ("forward", "forward"), set(), id="9.9 swap"),
        pytest.param((5, 0), (6, 2), ("forward", "backward"), {0, 1}, id="9.9 following"),
        pytest.param((5, 0), (7, 2), ("forward", "forward"), set(), id="9.9 same target"),
        pytest.param((5, 0), (6, 2), ("forward", "left"), set(), id="6.9 half the target"),
        pytest.param((5, 0), (6, 2), ("forward", None), set(), id="6.9 one that stays"),
    ],
)
def test_two_upright_dominoes(
    first: tuple[int, int],
    second: tuple[int, int],
    orders: tuple[str, str | None],
    moving: set[int],
) -> None:
    """Both are two cells high: one that goes aside by a cell still wants one the other wants."""
    field = Field(home_u=90)
    ids = [field.put(1, UPRIGHT, first[0], 40), field.put(2, UPRIGHT, second[0], 40)]
    battle = field.ready()
    given_orders = {
        shape_id: f"move {way}" for shape_id, way in zip(ids, orders, strict=True) if way
    }
    assert play_and_list_moved(battle, given_orders) == {ids[place] for place in moving}


def test_6_9_a_chain_follows_and_stops_as_one() -> None:
    field = Field(home_u=90)
    chain = [field.put(1, DOMINO, x, 40) for x in (4, 2, 0)]
    field.put(2, DOMINO, 6, 39)
    battle = field.ready()
    forward = dict.fromkeys(chain, "move forward")
    assert play_and_list_moved(battle, forward) == set(chain)
    wall = Field(home_u=90)
    chain = [wall.put(1, DOMINO, x, 40) for x in (4, 2, 0)]
    wall.put(2, UPRIGHT, 6, 40)
    assert play_and_list_moved(wall.ready(), dict.fromkeys(chain, "move forward")) == set()


def test_6_9_four_can_go_around_in_a_circle() -> None:
    field = Field(home_u=90)
    orders = {
        field.put(1, DOMINO, 40, 40): "move forward",
        field.put(1, UPRIGHT, 42, 40): "move right",
        field.put(1, DOMINO, 41, 42): "move backward",
        field.put(1, UPRIGHT, 40, 41): "move left",
    }
    field.put(2, DOMINO, 200, 20)
    assert play_and_list_moved(field.ready(), orders) == set(orders)


@pytest.mark.parametrize(
    ("x", "y", "command"),
    [(298, 50, "forward"), (0, 50, "backward"), (50, 199, "right"), (50, 0, "left")],
)
def test_6_9_the_edge_blocks(x: int, y: int, command: str) -> None:
    field = Field()
    domino = field.put(1, DOMINO, x, y)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    events = play(battle, {domino: f"move {command}"})
    assert only(events, ev.Moved, ev.Nothing) == [ev.Nothing(1, ev.Reason.BLOCKED, (domino,))]


def test_6_9_homes_and_bodies_block() -> None:
    field = Field()
    at_home, at_body = field.put(1, DOMINO, 8, 98), field.put(1, DOMINO, 40, 40)
    field.put_body(UPRIGHT, 42, 40)
    field.put(2, DOMINO, 200, 20)
    orders = dict.fromkeys((at_home, at_body), "move forward")
    assert play_and_list_moved(field.ready(), orders) == set()


@pytest.mark.parametrize("obstacle", ["edge", "body"])
def test_6_9_who_is_blocked_by_anything_still_blocks_who_wants_the_same_cell(obstacle: str) -> None:
    """The corner wants to go right and cannot; up goes the domino, to a cell it would take."""
    field = Field(home_u=90)
    x = 298 if obstacle == "edge" else 280
    corner, domino = field.put(1, CORNER, x, 40), field.put(1, UPRIGHT, x + 1, 42)
    if obstacle == "body":
        field.put_body(UPRIGHT, x + 2, 39)
    field.put(2, DOMINO, 200, 20)
    assert (
        play_and_list_moved(field.ready(), {corner: "move forward", domino: "move left"}) == set()
    )


def test_6_10_a_blocked_move_is_tried_again_until_there_is_room() -> None:
    field = Field(home_u=90)
    domino, wall = field.put(1, DOMINO, 40, 40), field.put(2, UPRIGHT, 42, 40)
    battle = field.ready()
    assert play_and_list_moved(battle, {domino: "move forward"}) == set()
    assert play_and_list_moved(battle, {}) == set()
    assert play_and_list_moved(battle, {wall: "move forward"}) == set()  # they would change places
    assert play_and_list_moved(battle, {wall: "move backward"}) == {domino, wall}
    assert battle.shapes[domino].pending is None


def test_6_11_9_8_a_box_turned_clockwise() -> None:
    field = Field(home_u=90)
    box = field.put(1, "#####/####.", 10, 20)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    shape = battle.shapes[box]
    places = []
    for _ in range(2):
        play(battle, {box: "turn cw"})
        while battle.shapes[box].pending:
            play(battle)
        shape = battle.shapes[box]
        outline = battle.outline(shape)
        places.append((shape.x, shape.y, outline.width, outline.height, shape.facing))
    assert places == [(11, 19, 2, 5, 1), (10, 20, 5, 2, 2)]


@pytest.mark.parametrize(
    ("command", "cells"),
    [("turn cw", {(1, 0), (1, 1), (1, 2), (0, 0)}), ("turn ccw", {(0, 2), (0, 1), (0, 0), (1, 2)})],
)
def test_6_11_where_the_cells_go(command: str, cells: set[tuple[int, int]]) -> None:
    """`###/#..`, clockwise: (i, j) -> (1 - j, i); counterclockwise: (j, 2 - i)."""
    field = Field(home_u=90)
    hook = field.put(1, "###/#..", 40, 40)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    play(battle, {hook: command})
    play(battle)
    shape = battle.shapes[hook]
    assert {(x - shape.x, y - shape.y) for x, y in battle.cells(shape)} == cells
    assert (shape.x, shape.y) == (40, 40)


def test_6_11_only_the_target_cells_must_be_free() -> None:
    """It does not matter what a corner sweeps over."""
    field = Field(home_u=90)
    bar = field.put(1, "####", 40, 40)
    for x, y in ((40, 38), (42, 42)):
        field.put(2, DOMINO, x, y)
    battle = field.ready()
    play(battle, {bar: "turn cw"})
    assert play_and_list_moved(battle, {}) == {bar}


# -- what holds for all battles ---------------------------------------------------------------


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Field, dict[int, str]]:
    """Draw shapes of both teams in little room, most of which want to move."""
    field = Field(width=16, height=12, zone_width=8, home_u=0, home_v=5, home_width=1,
                  home_height=2, sight=4, broadcast=6, capture_turns=1)  # fmt: skip
    dice = Random(draw(st.integers(0, 2**32)))
    taken = {cell for team in (1, 2) for cell in _home_cells(field.battle, team)}
    orders = {}
    for _ in range(draw(st.integers(1, 14))):
        drawing, facing = dice.choice(ANY), dice.randrange(4)
        team, x, y = dice.choice((1, 2)), dice.randrange(16), dice.randrange(12)
        cells = _cells(drawing, facing, x, y)
        if cells & taken or any(not (0 <= a < 16 and 0 <= b < 12) for a, b in cells):
            continue
        taken |= cells
        since = dice.choice((0, 1, 2, 3))
        pending = dice.choice([c for c in Command if c.startswith(("move", "turn"))])
        more = {"pending": pending, "pending_since": since} if since else {}
        shape_id = field.put(team, drawing, x, y, facing=facing, **more)
        orders[shape_id] = dice.choice([*COMMANDS, *["move forward"] * 10, *["continue"] * 6])
    return field, orders


def _home_cells(battle: Battle, team: int) -> set[tuple[int, int]]:
    box = battle.home(team)
    assert box is not None
    return {
        (x, y) for x in range(box.x, box.x + box.width) for y in range(box.y, box.y + box.height)
    }


def _cells(drawing: str, facing: int, x: int, y: int) -> set[tuple[int, int]]:
    return {(x + dx, y + dy) for dx, dy in make_geometry(rows(drawing)).cells(facing)}


many = settings(max_examples=examples(300))


@pytest.mark.slow
@many
@given(crowds(), st.randoms(use_true_random=False))
def test_6_9_shuffling_the_ids_changes_nothing(
    crowd: tuple[Field, dict[int, str]], dice: Random
) -> None:
    field, orders = crowd
    battle = field.ready(turn=3)
    renamed = _rename_shapes(battle, dice)
    names = renamed.pop("names")
    other = msgspec.convert(renamed, Battle)
    play(battle, orders)
    play(other, {names[shape_id]: order for shape_id, order in orders.items()})
    assert {names[shape_id]: place for shape_id, place in positions(battle).items()} == positions(
        other
    )
    assert {names[s.id]: s.hp for s in battle.shapes.values()} == {
        s.id: s.hp for s in other.shapes.values()
    }


def _rename_shapes(battle: Battle, dice: Random) -> dict[str, Any]:
    """Return the same battle, in which the shapes of each team have each other's ids."""
    names: dict[int, int] = {}
    for team in (1, 2):
        own = [shape_id for shape_id in battle.shapes if piece_team(shape_id, 2) == team]
        names.update(zip(own, dice.sample(own, len(own)), strict=True))
    shapes = {
        names[shape.id]: msgspec.structs.replace(shape, id=names[shape.id])
        for shape in battle.shapes.values()
    }
    fields = {name: getattr(battle, name) for name in battle.__struct_fields__}
    return {**fields, "shapes": dict(sorted(shapes.items())), "names": names}


@many
@given(crowds())
def test_6_9_nothing_overlaps_and_the_grid_agrees_with_the_shapes(
    crowd: tuple[Field, dict[int, str]],
) -> None:
    field, orders = crowd
    battle = field.ready(turn=3)
    for _ in range(4):
        if battle.ending is not None:
            break
        play(battle, orders)
        cells: list[int] = []
        for piece in battle.shapes.values():
            cells += battle.places(piece)
        for body in battle.bodies.values():
            cells += battle.places(body)
        assert len(cells) == len(set(cells))
        marked = [place for place, what in enumerate(battle.grid) if what > FREE]
        assert marked == sorted(cells)
        assert battle == msgspec.json.decode(msgspec.json.encode(battle), type=Battle)
        assert battle.grid == Battle(**_fields(battle)).grid


def _fields(battle: Battle) -> dict[str, Any]:
    return {name: getattr(battle, name) for name in battle.__struct_fields__}


@pytest.mark.slow
@many
@given(crowds(), st.integers(1, 4))
def test_2_2_exchanging_the_armies_gives_the_same_battle_turned_by_180_degrees(
    crowd: tuple[Field, dict[int, str]], turns: int
) -> None:
    field, orders = crowd
    battle = field.ready(turn=3)
    other = _exchange_teams(battle)
    mirrored = {_other(shape_id): order for shape_id, order in orders.items()}
    for _ in range(turns):
        if battle.ending is not None:
            break
        play(battle, orders)
        play(other, mirrored)
    assert _exchange_teams(battle).shapes == other.shapes
    assert _exchange_teams(battle).bodies == other.bodies
    assert (battle.ending is None) == (other.ending is None)
    if battle.ending is not None and other.ending is not None:
        assert battle.ending.scores == other.ending.scores[::-1]
        assert battle.ending.reason == other.ending.reason


def _other(shape_id: int) -> int:
    return (
        make_shape_id(3 - piece_team(shape_id, 2), shape_number(shape_id, 2), 2) if shape_id else 0
    )


def _exchange_teams(battle: Battle) -> Battle:
    """Team 1 for team 2, and the whole grid turned."""
    fields = _fields(battle)
    for name in ("types", "refused", "killed", "disclosed"):
        fields[name] = fields[name][::-1]
    fields["bearers"] = [_other(bearer) for bearer in battle.bearers[::-1]]
    for name in ("shapes", "bodies"):
        pieces = [_turn_over(battle, piece) for piece in fields[name].values()]
        fields[name] = {piece.id: piece for piece in sorted(pieces, key=lambda piece: piece.id)}
    return Battle(**fields)


def _turn_over(battle: Battle, piece: Any) -> Any:
    outline = battle.outline(piece)
    return msgspec.structs.replace(
        piece,
        id=_other(piece.id),
        x=battle.settings.width - piece.x - outline.width,
        y=battle.settings.height - piece.y - outline.height,
        facing=(piece.facing + 2) % 4,
    )


@given(
    st.sampled_from(ANY),
    st.sampled_from([1, 2]),
    st.integers(0, 3),
    st.sampled_from(["turn cw", "turn ccw"]),
)
def test_6_11_four_turns_restore_the_place(
    drawing: str, team: int, facing: int, command: str
) -> None:
    field = Field(width=40, height=30, zone_width=20, home_u=0, home_v=0)
    shape_id = field.put(team, drawing, 15, 12, facing=facing)
    field.put(3 - team, DOMINO, 30, 2)
    battle = field.ready()
    before: Shape = battle.shapes[shape_id]
    facings = []
    for _ in range(4):
        play(battle, {shape_id: command})
        while battle.shapes[shape_id].pending is not None:
            play(battle)
        facings.append(battle.shapes[shape_id].facing)
    assert battle.shapes[shape_id] == before
    assert sorted(facings) == [0, 1, 2, 3]
