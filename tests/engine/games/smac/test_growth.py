"""Growth, death and stack reduction (docs/rules/smac.md 5B, 5E, 5F)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.smac import events as ev
from engine.games.smac.growth import reductions
from engine.games.smac.rules import fight_all, grow, kill_unsupported, produce, reduce_stacks
from engine.games.smac.settings import Characteristics
from engine.games.smac.state import Dish
from engine.games.smac.terrain import DIP, HILL
from tests.engine.games.smac.dishes import a_dish, block, heights, of_type, owned_cells, run

TALL = {team: Characteristics(stacking=9) for team in (1, 2)}
BAND = "\n".join([*([". . . . . . ."] * 3), *(["A1 A1 A1 A1 A1 A1 A1"] * 3), ". . . A1 . . ."])


def grown(dish: Dish, team: int = 1) -> set[tuple[int, int]]:
    events = of_type(run(dish, grow), ev.Grown)
    side = dish.side
    return {(c % side, c // side) for event in events if event.team == team for c in event.cells}


@pytest.mark.parametrize(
    ("terrain", "grows"),
    [
        pytest.param({}, {(2, 6), (4, 6)}, id="10.5 four own neighbors"),
        pytest.param({(1, 6): DIP}, {(2, 6), (4, 6), (1, 6)}, id="10.5 three for a DIP"),
        pytest.param({(2, 6): HILL}, {(4, 6)}, id="10.5 five for a HILL"),
    ],
)
def test_10_5_and_5_5_a_cell_grows_with_enough_own_neighbors(
    terrain: dict[tuple[int, int], int], grows: set[tuple[int, int]]
) -> None:
    assert grown(a_dish(BAND, terrain=terrain)) == grows


@pytest.mark.parametrize(
    ("relief", "grows"),
    [
        pytest.param(0, set(), id="10.5 a lone 3x3 does not grow"),
        pytest.param(DIP, {(5, 7)}, id="10.5 but into a DIP"),
        pytest.param(HILL, set(), id="10.5 and not into a HILL"),
    ],
)
def test_10_5_beside_a_lone_cluster_three_neighbors_are_seen(
    relief: int, grows: set[tuple[int, int]]
) -> None:
    assert grown(block(a_dish(terrain={(5, 7): relief}), 1, 5, 5)) == grows


def test_5_5_five_own_neighbors_grow_into_a_hill() -> None:
    picture = "A1 A1 A1\nA1 . A1\n. . ."
    assert (1, 1) in grown(a_dish(picture, terrain={(1, 1): HILL}))
    assert (1, 1) not in grown(a_dish(picture.replace("A1 . A1", "A1 . ."), terrain={(1, 1): HILL}))


def test_5_5_growth_happens_once() -> None:
    """(1, 6) has a fourth neighbor only once (2, 6) has grown."""
    dish = a_dish(BAND)
    assert grown(dish) == {(2, 6), (4, 6)}
    assert grown(dish) == {(1, 6), (5, 6)}


def test_5_5_a_team_does_not_grow_where_it_owns_the_cell() -> None:
    dish = block(a_dish(levels=TALL), 1, 5, 5)
    assert (5, 5) not in grown(dish)


def test_5_5_a_team_grows_into_an_enemy_cell_and_strengthens_an_invader_there() -> None:
    for middle, height in (("B1", 1), ("B1a2", 3)):
        dish = a_dish(f"A1 A1 A1\nA1 {middle} .\n. . .", levels=TALL)
        run(dish, grow)
        assert heights(dish, 1)[1, 1] == height
        assert (1, 1) in owned_cells(dish, 2)


def test_5_5_a_stack_in_a_cell_without_owner_does_not_grow_but_another_team_grows_into_it() -> None:
    picture = "A1 A1 A1\nA1 a1 B1\nB1 B1 B1"
    dish = a_dish(picture, levels=TALL)
    run(dish, grow)
    assert (heights(dish, 1)[1, 1], heights(dish, 2)[1, 1]) == (1, 1)


def test_5_5_contested_stacks_count_as_neighbors() -> None:
    assert (1, 1) in grown(a_dish("B1a1 B1a1 B1a1\nB1a1 . .\n. . ."))


def test_5_5_both_of_two_teams_may_grow_into_a_cell() -> None:
    dish = a_dish("A1 A1 A1\nA1 . B1\nB1 B1 B1")
    run(dish, grow)
    assert heights(dish, 1)[1, 1] == heights(dish, 2)[1, 1] == 1
    assert dish.owners[dish.side + 1] == 0  # nobody's, until combat


def test_4_4_growth_beyond_the_stacking_level_fails() -> None:
    dish = a_dish("A1 A1 A1\nA1 B1a1 .\n. . .")
    run(dish, grow)
    assert heights(dish, 1)[1, 1] == 1


def test_2_4_a_cell_entered_by_growth_is_owned_after_combat() -> None:
    dish = a_dish("A1 A1 A1\nA1 . .\n. . .")
    run(dish, grow)
    assert (1, 1) not in owned_cells(dish, 1)
    assert run(dish, fight_all) == [ev.Claimed(1, (dish.side + 1,))]
    assert (1, 1) in owned_cells(dish, 1)


def test_10_6_and_5_11_a_lone_cluster_lives() -> None:
    assert run(block(a_dish(), 1, 5, 5), kill_unsupported) == []


@pytest.mark.parametrize(
    ("min_support", "dead"),
    [
        pytest.param(3, {(4, 4), (6, 4)}, id="10.6 without its upper middle two corners die"),
        pytest.param(2, set(), id="10.6 with min_support 2 they live"),
    ],
)
def test_10_6_a_cluster_with_a_hole(min_support: int, dead: set[tuple[int, int]]) -> None:
    dish = block(a_dish(min_support=min_support), 1, 5, 5)
    before = set(heights(dish, 1)) - {(5, 4)}
    hole = 4 * dish.side + 5
    dish.layer(1)[hole] = dish.owners[hole] = 0
    run(dish, kill_unsupported)
    assert set(heights(dish, 1)) == owned_cells(dish, 1) == before - dead


def test_5_11_all_die_at_once_and_nothing_dies_of_that_before_the_next_turn() -> None:
    dish = a_dish(". . .\n. A1 .\nA1 A1 A1")
    run(dish, kill_unsupported)
    assert set(heights(dish, 1)) == {(1, 1), (1, 2)}
    run(dish, kill_unsupported)
    assert heights(dish, 1) == {}


def test_5_11_a_dead_stack_is_removed_whatever_its_height() -> None:
    dish = a_dish("A5 A1\n. .", levels=TALL)
    run(dish, kill_unsupported)
    assert heights(dish, 1) == {}


@pytest.mark.parametrize(
    ("picture", "left"),
    [
        pytest.param(
            "A1 A1 A1 A1 A1\nA1 A3 A3 A3 A1\nA1 A3 A3 A3 A1\nA1 A3 A3 A3 A1\nA1 A1 A1 A1 A1",
            "1 1 1 1 1\n1 2 2 2 1\n1 2 3 2 1\n1 2 2 2 1\n1 1 1 1 1",
            id="10.7 5x5 with an inner 3x3 of 3",
        ),
        pytest.param(
            "A1 A1 A1\nA1 A4 A1\nA1 A1 A1",
            "1 1 1\n1 2 1\n1 1 1",
            id="10.7 a single 4 in a field of 1",
        ),
        pytest.param(
            "A2 A1 A1\nA1 A1 A1\nA1 A1 A1",
            "2 1 1\n1 1 1\n1 1 1",
            id="10.7 a 2 in the corner of the board",
        ),
        pytest.param(
            "A2 A2 A2\nA2 A2 B1\nA2 A2 A2",
            "2 1 1\n2 1 0\n1 1 1",
            id="5.12 foreign neighbors count 0",
        ),
        pytest.param(
            "A9 A9 A9 A1\nA9 A9 A9 A1\nA9 A9 A9 A1\nA1 A1 A1 A1",
            "4 3 2 1\n3 3 2 1\n2 2 2 1\n1 1 1 1",
            id="5.12 it goes on until nothing changes",
        ),
    ],
)
def test_10_7_and_5_12_stacks_come_down_to_what_their_neighbors_hold(
    picture: str, left: str
) -> None:
    dish = a_dish(picture, levels=TALL)
    run(dish, reduce_stacks)
    expected = {
        (x, y): int(word)
        for y, row in enumerate(left.splitlines())
        for x, word in enumerate(row.split())
        if word != "0"
    }
    assert heights(dish, 1) == expected


def test_10_7_the_middle_of_it_produces_3_90() -> None:
    picture = "A1 A1 A1 A1 A1\nA1 A3 A3 A3 A1\nA1 A3 A3 A3 A1\nA1 A3 A3 A3 A1\nA1 A1 A1 A1 A1"
    dish = a_dish(picture, levels=TALL)
    run(dish, reduce_stacks)
    run(dish, produce)
    assert dish.team(1).production == 3_900


@given(layer=st.binary(min_size=49, max_size=49).map(lambda raw: bytes(b % 6 for b in raw)))
def test_5_12_level_by_level_comes_to_the_same_as_cell_by_cell(layer: bytes) -> None:
    dish = a_dish()
    dish.side = 7
    stacks = bytearray(layer)
    for cell, height in reductions(dish, bytearray(layer)).items():
        stacks[cell] = height
    assert list(stacks) == _reduce_cell_by_cell(list(layer), 7)


def _reduce_cell_by_cell(raw: list[int], side: int) -> list[int]:
    """Reduce as the rule is written: all cells at once, until nothing changes."""
    while True:
        after = []
        for cell, height in enumerate(raw):
            y, x = divmod(cell, side)
            around = [
                raw[row * side + column]
                for row in range(max(0, y - 1), min(side, y + 2))
                for column in range(max(0, x - 1), min(side, x + 2))
                if (column, row) != (x, y)
            ]
            after.append(min(height, 1 + min(around)))
        if after == raw:
            return raw
        raw = after
