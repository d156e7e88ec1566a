"""Lanes, hits, losses and bodies (rules 6A)."""

import pytest

from engine.games.game_of_death import events as ev
from engine.games.game_of_death.attacks import find_hits
from engine.games.game_of_death.state import Battle
from tests.cases import for_each
from tests.engine.games.game_of_death.battles import (
    BAR,
    BLOCK,
    CLAMP,
    DOMINO,
    UPRIGHT,
    Field,
    only,
    play,
)


def hit_by(battle: Battle, shape_id: int, direction: int = 0) -> set[int]:
    return find_hits(battle, battle.shapes[shape_id], direction)


@pytest.mark.parametrize(
    ("drawing", "x", "y", "is_hit"),
    [
        (DOMINO, 30, 22, True),
        (DOMINO, 31, 22, False),
        (UPRIGHT, 20, 23, False),
        (UPRIGHT, 20, 22, True),
        (DOMINO, 12, 23, False),
        (DOMINO, 8, 21, False),
        (DOMINO, 13, 20, True),
    ],
)
def test_6_1_9_4_a_lane_is_as_wide_as_the_shape_and_as_long_as_its_range(
    drawing: str, x: int, y: int, is_hit: bool
) -> None:
    field = Field(home_u=100 - 4)
    block, other = field.put(1, BLOCK, 10, 20), field.put(2, drawing, x, y)
    assert hit_by(field.ready(), block) == ({other} if is_hit else set())


def test_6_2_9_4_a_body_shields_its_own_line_alone() -> None:
    field = Field(home_u=90)
    block, body = field.put(1, BLOCK, 10, 20), field.put_body(DOMINO, 14, 20)
    behind, free = field.put(2, DOMINO, 20, 20), field.put(2, DOMINO, 20, 21)
    assert hit_by(field.ready(), block) == {body, free}
    assert behind not in hit_by(field.ready(), block)


def test_6_1_9_5_a_line_begins_at_its_own_outermost_cell() -> None:
    field = Field(home_u=90)
    clamp, inside = field.put(1, CLAMP, 10, 20), field.put(2, DOMINO, 11, 21)
    assert hit_by(field.ready(), clamp) == {inside}


@for_each("facing", range(4))
@for_each("side", range(4))
def test_6_1_sides_are_relative_to_the_heading(facing: int, side: int) -> None:
    """A block in the middle of four dominoes hits the one that is on that side."""
    field = Field(home_u=0)
    block = field.put(1, BLOCK, 100, 100, facing=facing)
    around = [(105, 101), (101, 105), (96, 101), (101, 96)]  # E, S, W, N
    dominoes = [field.put(2, "##", x, y) for x, y in around]
    battle = field.ready()
    word = ("forward", "right", "backward", "left")[side]
    [damaged] = only(play(battle, {block: f"attack {word}"}), ev.Damaged)
    assert isinstance(damaged, ev.Damaged)
    assert damaged.ids == (dominoes[(facing + side) % 4],)


@pytest.mark.parametrize(
    ("x", "y", "direction"), [(297, 50, 0), (50, 197, 1), (0, 50, 2), (50, 0, 3)]
)
def test_6_1_a_lane_ends_at_the_edge(x: int, y: int, direction: int) -> None:
    field = Field()
    block = field.put(1, BLOCK, x, y)
    field.put(2, DOMINO, 150, 100)
    assert hit_by(field.ready(), block, direction) == set()


@pytest.mark.parametrize(("x", "direction"), [(5, 0), (16, 2)])
def test_6_2_a_home_stops_an_attack(x: int, direction: int) -> None:
    field = Field()
    block = field.put(1, BLOCK, x, 98)
    field.put(2, DOMINO, 15, 98)
    field.put(2, DOMINO, 8, 99)
    beyond = hit_by(field.ready(), block, direction)
    # What is between shooter and home is hit, what is behind the home is not.
    assert len(beyond) == 1


def test_6_2_shapes_stop_nothing_and_dying_ones_are_hit_too() -> None:
    field = Field(home_u=90)
    block = field.put(1, BLOCK, 10, 20)
    line = [field.put(2, DOMINO, 14, 20), field.put(2, DOMINO, 17, 20, dying_since=1)]
    line.append(field.put(1, DOMINO, 20, 20))
    assert hit_by(field.ready(turn=2), block) == set(line)


def test_6_3_a_shape_is_hit_once_however_many_lines_reach_it() -> None:
    field = Field(home_u=90)
    block, wall = field.put(1, BLOCK, 10, 20), field.put(2, BLOCK, 15, 20)
    battle = field.ready()
    play(battle, {block: "attack forward"})
    assert battle.shapes[wall].hp == 18 - (3 - 1)


@pytest.mark.parametrize("friendly_fire", [True, False])
def test_6_3_the_own_army_is_hit_where_the_settings_say_so(friendly_fire: bool) -> None:
    field = Field(home_u=90, friendly_fire=friendly_fire)
    block, friend = field.put(1, BLOCK, 10, 20), field.put(1, DOMINO, 14, 20)
    enemy = field.put(2, DOMINO, 18, 20)
    assert hit_by(field.ready(), block) == ({friend, enemy} if friendly_fire else {enemy})


def test_6_4_9_3_attacks_from_one_side_add_up_and_defense_counts_once() -> None:
    field = Field(home_u=90)
    shooters = [field.put(1, BLOCK, 10, 20), field.put(1, BLOCK, 20, 26)]
    victim = field.put(2, BLOCK, 20, 20)
    other = field.put(1, BLOCK, 14, 20)
    battle = field.ready()
    play(battle, {shooters[0]: "attack forward", other: "attack forward"})
    assert battle.shapes[victim].hp == 18 - (3 + 3 - 1)


def test_6_4_9_3_of_several_sides_the_weakest_defends() -> None:
    """The bar faces west: its front is shot at from there, its flank from the north."""
    field = Field(home_u=90)
    front, flank = field.put(1, BLOCK, 10, 20), field.put(1, BLOCK, 21, 10)
    bar = field.put(2, BAR, 20, 20)
    battle = field.ready()
    play(battle, {front: "attack forward", flank: "attack right"})
    assert battle.shapes[bar].hp == 20 - (3 + 3 - min(2, 1))


@pytest.mark.parametrize(("y", "command", "defense"), [(8, "right", 2), (28, "left", 1)])
def test_6_4_the_side_that_is_hit_defends_and_not_the_one_behind_it(
    y: int, command: str, defense: int
) -> None:
    """Seen from the north its middle line is two cells thick, from the south one."""
    field = Field(home_u=90)
    shooter = field.put(1, BLOCK, 20, y)
    victim = field.put(2, "###/###/#.#/###", 20, 18, facing=0)
    battle = field.ready()
    play(battle, {shooter: f"attack {command}"})
    assert battle.shapes[victim].hp == 22 - (3 - defense)


def test_6_4_9_3_a_loss_is_never_a_gain_but_a_hit_is_a_hit() -> None:
    field = Field(home_u=90)
    domino, block = field.put(1, DOMINO, 20, 10), field.put(2, BLOCK, 20, 12, hp=17, calm_from=3)
    battle = field.ready(turn=4)
    events = play(battle, {domino: "attack right"})
    assert only(events, ev.Damaged) == [ev.Damaged(2, (block,), (17,), ((1,),))]
    assert battle.shapes[block].calm_from == 4


def test_6_4_hp_does_not_fall_below_0() -> None:
    field = Field(home_u=90)
    block, domino = field.put(1, BAR, 10, 20), field.put(2, DOMINO, 20, 20, hp=1)
    battle = field.ready()
    play(battle, {block: "attack forward"})
    assert (battle.shapes[domino].hp, battle.shapes[domino].dying_since) == (0, 1)


def test_6_5_a_body_loses_the_full_sum_and_vanishes() -> None:
    field = Field(home_u=90)
    block, body = field.put(1, BLOCK, 10, 20), field.put_body(DOMINO, 15, 20, left=6)
    enemy = field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    play(battle, {block: "attack forward"})
    assert battle.bodies[body].left == 3
    play(battle, {block: "rest", enemy: "rest"})
    events = play(battle, {block: "attack forward"})
    assert only(events, ev.BodiesHit) == [ev.BodiesHit((body,), (0,))]
    assert body not in battle.bodies
    assert body not in battle.grid


def test_6_6_attacking_costs_nothing() -> None:
    field = Field(home_u=90)
    block = field.put(1, BLOCK, 10, 20)
    field.put(2, DOMINO, 15, 20)
    battle = field.ready()
    play(battle, {block: "attack forward"})
    assert battle.shapes[block].hp == 18


def test_6_7_the_dying_lose_nothing_and_who_was_killed_attacks_with_nothing() -> None:
    field = Field(home_u=90)
    killed = field.put(2, BLOCK, 20, 20, hp=0, dying_since=1)
    block = field.put(1, BLOCK, 10, 20)
    battle = field.ready(turn=2)
    play(battle, {killed: "attack forward", block: "attack forward"})
    assert battle.shapes[block].hp == 18
    field = Field(home_u=90)
    suicide = field.put(2, BLOCK, 20, 20, hp=9, dying_since=1)
    block = field.put(1, BLOCK, 10, 20)
    battle = field.ready(turn=2)
    events = play(battle, {suicide: "attack forward", block: "attack forward"})
    assert ev.Damaged(2, (suicide,), (9,), ((1,),)) in events
    assert battle.shapes[block].hp == 18 - (3 - 1)
