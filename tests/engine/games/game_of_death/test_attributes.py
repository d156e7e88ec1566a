"""What a drawing makes of a shape (rules 4)."""

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.game_of_death.geometry import (
    Side,
    compute_attack,
    compute_defense,
    make_geometry,
    trim_drawing,
)
from engine.games.game_of_death.pieces import Shape, ShapeType
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle
from tests.engine.games.game_of_death.battles import (
    BAR,
    BLOCK,
    CLAMP,
    CORNER,
    DOMINO,
    PLUS,
    RING,
    Field,
    play,
    rows,
)

# drawing, k, speed, max hp, range; then T, n, attack and defense: front and back, left and right.
TABLE = {
    DOMINO: (2, 1, 4, 4, (2, 1, 2, 1), (2, 2, 1, 1)),
    CORNER: (3, 1, 6, 6, (3, 2, 2, 1), (3, 2, 2, 1)),
    PLUS: (5, 2, 10, 10, (5, 3, 2, 1), (5, 3, 2, 1)),
    CLAMP: (7, 3, 14, 14, (7, 3, 3, 1), (5, 3, 2, 1)),
    RING: (8, 3, 16, 16, (7, 3, 3, 1), (7, 3, 3, 1)),
    BLOCK: (9, 3, 18, 18, (9, 3, 3, 1), (9, 3, 3, 1)),
    BAR: (10, 4, 20, 20, (10, 2, 5, 2), (10, 5, 2, 1)),
}


@pytest.mark.parametrize("drawing", TABLE)
def test_4_1_to_4_4_every_row_of_the_table(drawing: str) -> None:
    size, speed, max_hp, reach, ends, flanks = TABLE[drawing]
    form, settings = make_geometry(rows(drawing)), Settings()
    assert (form.size, form.speed) == (size, speed)
    assert settings.hp_factor * form.size == max_hp
    assert settings.range_factor * form.size == reach
    for sides, (thickness, lines, attack, defense) in (((0, 2), ends), ((1, 3), flanks)):
        for side in sides:
            found = form.sides[side]
            assert found == Side(thickness, lines)
            assert compute_attack(found, max_hp, max_hp) == attack
            assert compute_defense(found, max_hp, max_hp) == defense


def test_4_1_a_new_shape_has_full_hp() -> None:
    field = Field()
    block = field.put(1, BLOCK, 20, 20)
    battle = field.ready()
    assert battle.shapes[block].hp == battle.max_hp(battle.shapes[block]) == 18


def test_4_2_holes_are_no_side_and_end_a_line() -> None:
    assert make_geometry(rows("####/#..#/####")).sides[0] == Side(4 + 1 + 4, 3)


def test_4_2_a_line_counts_from_the_outermost_cell_to_the_first_gap() -> None:
    assert make_geometry(rows("###.#/#####")).sides[0] == Side(1 + 5, 2)


@given(st.integers(1, 40), st.integers(1, 8), st.integers(0, 40), st.integers(1, 40))
def test_4_3_4_4_are_exact(thickness: int, lines: int, hp: int, max_hp: int) -> None:
    side, share = Side(thickness, lines), Fraction(min(hp, max_hp), max_hp)
    attack = compute_attack(side, min(hp, max_hp), max_hp)
    average = Fraction(thickness, lines)
    assert attack**2 >= average**2 * share
    assert attack == 0 or (attack - 1) ** 2 < average**2 * share
    assert compute_defense(side, min(hp, max_hp), max_hp) == ceil(average / 3 * share)


def test_4_5_hp_of_the_start_of_the_turn_count() -> None:
    """Both shoot at once: what the one loses does not make its own shot weaker."""
    field = Field()
    one, other = field.put(1, BLOCK, 20, 20, hp=9), field.put(2, BLOCK, 30, 20, hp=9)
    battle = field.ready()
    play(battle, {one: "attack forward", other: "attack forward"})
    assert battle.shapes[one].hp == battle.shapes[other].hp == 9 - (3 - 1)


@pytest.mark.parametrize(
    ("drawing", "attacks", "defenses"),
    [
        pytest.param(
            BLOCK, {0: 0, 1: 1, 2: 1, 3: 2, 8: 2, 9: 3, 18: 3}, {0: 0, 1: 1, 18: 1}, id="9.1"
        ),
        pytest.param(
            BAR,
            {0: 0, 1: 2, 3: 2, 4: 3, 7: 3, 8: 4, 12: 4, 13: 5, 20: 5},
            {0: 0, 1: 1, 12: 1, 13: 2, 20: 2},
            id="9.2",
        ),
    ],
)
def test_attack_and_defense_fall_with_hp(
    drawing: str, attacks: dict[int, int], defenses: dict[int, int]
) -> None:
    form = make_geometry(rows(drawing))
    most = 2 * form.size
    assert {hp: compute_attack(form.sides[0], hp, most) for hp in attacks} == attacks
    assert {hp: compute_defense(form.sides[0], hp, most) for hp in defenses} == defenses


def test_9_5_lines_begin_at_their_own_outermost_cell() -> None:
    outline = make_geometry(rows(CLAMP)).outline(0, 300)
    assert outline.edges[0] == ((2, 0), (0, 1), (2, 2))


def test_9_13_the_middle_line_of_a_ring_ends_at_the_hole() -> None:
    assert set(make_geometry(rows(RING)).sides) == {Side(7, 3)}


@pytest.mark.parametrize("facing", range(4))
def test_sides_turn_with_the_shape(facing: int) -> None:
    """The front of a bar is where it faces, in the world."""
    mask = rows("####/##..")
    battle = Battle(Settings(), types=[(ShapeType("Flag", mask, "", 1),), ()])
    outline = battle.outline(Shape(1, 0, 50, 50, facing, 12))
    front = outline.edges[facing]
    ends = {0: (3, 0), 1: (1, 3), 2: (0, 1), 3: (0, 0)}
    assert ends[facing] in front
    assert len(front) == 2
    assert (outline.width, outline.height) == ((4, 2) if facing % 2 == 0 else (2, 4))


def test_3_1_empty_rows_and_columns_around_a_drawing_do_not_count() -> None:
    assert trim_drawing(["....", ".##.", ".#", "", "...."]) == ("##", "#.")
