"""Healing, dying, bodies, kills, the end and what is disclosed (rules 6D, 7)."""

import pytest

from engine.game import MatchEnded, Standing
from engine.games.game_of_death import events as ev
from engine.games.game_of_death import rules
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import find_disclosed_types, make_match_end
from tests.engine.games.game_of_death.battles import BAR, BLOCK, DOMINO, Field, only, play


def far(field: Field) -> Field:
    """Return a field with one shape of each team that never meets anybody."""
    field.put(1, DOMINO, 40, 180)
    field.put(2, DOMINO, 250, 180)
    return field


def hp_by_turn(battle: Battle, shape_id: int, turns: int) -> list[int]:
    found = []
    for _ in range(turns):
        play(battle)
        found.append(battle.shapes[shape_id].hp)
    return found


def test_6_16_9_10_a_point_every_second_calm_turn() -> None:
    field = far(Field(home_u=90))
    block = field.put(1, BLOCK, 40, 40, hp=9)
    shooter = field.put(2, DOMINO, 45, 40)
    battle = field.ready(turn=3)
    play(battle, {shooter: "attack forward"})
    assert battle.shapes[block].hp == 8
    assert hp_by_turn(battle, block, 4) == [8, 9, 9, 10]  # turns 4 to 7


def test_6_16_a_hit_for_nothing_begins_the_count_anew() -> None:
    field = far(Field(home_u=90))
    block = field.put(1, BLOCK, 40, 40, hp=8, calm_from=3)
    tickler = field.put(2, DOMINO, 40, 44)  # sideways: attack 1, defense 1
    battle = field.ready(turn=4)
    play(battle, {tickler: "attack right"})
    assert hp_by_turn(battle, block, 3) == [8, 9, 9]  # turns 5 to 7


def test_6_16_nobody_heals_above_the_max_or_while_dying() -> None:
    field = far(Field(home_u=90))
    whole = field.put(1, BLOCK, 40, 40)
    dying = field.put(1, BLOCK, 60, 40, hp=3, dying_since=1)
    battle = field.ready(turn=2)
    assert only(play(battle), ev.Healed) == []
    assert battle.shapes[whole].hp == 18
    assert dying not in battle.shapes


@pytest.mark.parametrize("every", [1, 3])
def test_6_16_as_often_as_the_settings_say(every: int) -> None:
    field = far(Field(home_u=90, heal_every=every))
    block = field.put(1, BLOCK, 40, 40, hp=1, calm_from=1)
    battle = field.ready(turn=2)
    assert hp_by_turn(battle, block, 6)[-1] == 1 + 6 // every


def test_6_17_9_12_a_suicide_runs_die_and_is_a_body_at_its_end() -> None:
    field = far(Field(home_u=90))
    block = field.put(1, BLOCK, 40, 40, hp=7)
    victim = field.put(2, DOMINO, 45, 40)
    battle = field.ready(turn=7)
    assert only(play(battle, {block: "suicide"}), ev.Dying) == [ev.Dying(1, (block,), ())]
    assert (battle.shapes[block].hp, battle.shapes[block].dying_since) == (7, 7)
    events = play(battle, {block: "attack forward"})
    assert only(events, ev.Damaged, ev.Died) == [
        ev.Damaged(2, (victim,), (3,), ((1,),)),  # attack ceil(3 * sqrt(7/18)) = 2, defense 1
        ev.Died(1, (block,), (180,)),
    ]
    assert battle.turn == 9
    assert block not in battle.shapes
    assert (battle.bodies[block].left, battle.bodies[block].x) == (180, 40)
    assert battle.grid[40 * 300 + 40] == block


def test_6_17_the_dying_may_move_in_their_last_turn_and_lie_where_they_end() -> None:
    field = far(Field(home_u=90))
    domino = field.put(1, DOMINO, 40, 40, hp=0, dying_since=1)
    battle = field.ready(turn=2)
    play(battle, {domino: "move forward"})
    assert battle.bodies[domino].x == 41


def test_6_17_who_became_dying_this_turn_does_not_move() -> None:
    field = far(Field(home_u=90))
    domino = field.put(1, DOMINO, 40, 40, hp=1)
    shooter = field.put(2, BAR, 45, 40)
    battle = field.ready()
    play(battle, {domino: "move left", shooter: "attack forward"})
    assert (battle.shapes[domino].y, battle.shapes[domino].dying_since) == (40, 1)


@pytest.mark.parametrize(
    ("shooters", "actively"),
    [((1,), False), ((2,), True), ((1, 2), True)],
    ids=["a friend alone", "an enemy", "both"],
)
def test_6_18_an_active_kill_is_one_to_which_an_enemy_contributed(
    shooters: tuple[int, ...], actively: bool
) -> None:
    field = far(Field(home_u=90))
    domino = field.put(1, DOMINO, 60, 40, hp=1)
    places = {1: (40, 0), 2: (70, 2)}
    orders = {}
    for team in shooters:
        x, facing = places[team]
        orders[field.put(team, BAR, x, 40, facing=facing)] = "attack forward"
    battle = field.ready()
    events = play(battle, orders)
    assert only(events, ev.Dying) == [ev.Dying(1, (domino,), (domino,) if actively else ())]
    assert sum(battle.killed[0]) == actively


@pytest.mark.parametrize(
    ("shooter", "facing", "is_kill"),
    [(DOMINO, 2, True), ("#/#", 2, True), (DOMINO, 0, False)],
    ids=["hit", "hit for nothing", "not hit"],
)
def test_6_18_a_suicide_is_a_kill_of_those_who_hit_it_in_that_turn(
    shooter: str, facing: int, is_kill: bool
) -> None:
    field = far(Field(home_u=90))
    block = field.put(1, BLOCK, 60, 40)
    enemy = field.put(2, shooter, 64, 40, facing=facing)
    battle = field.ready()
    events = play(battle, {block: "suicide", enemy: "attack forward"})
    assert only(events, ev.Dying) == [ev.Dying(1, (block,), (block,) if is_kill else ())]
    assert sum(battle.killed[0]) == is_kill


def test_6_18_an_attack_of_nothing_contributes_to_nothing() -> None:
    field = far(Field(home_u=90))
    domino = field.put(1, DOMINO, 60, 40, hp=1)
    friend = field.put(1, BAR, 40, 40)
    killed = field.put(2, DOMINO, 64, 40, hp=0, dying_since=4)
    battle = field.ready(turn=5)
    events = play(battle, {friend: "attack forward", killed: "attack forward"})
    assert ev.Dying(1, (domino,), ()) in events
    assert battle.hp_taken == [0, 0]


def test_7_2_a_side_without_living_shapes_loses_though_one_is_dying() -> None:
    field = Field(home_u=90)
    domino = field.put(1, DOMINO, 40, 40)
    field.put(2, BLOCK, 200, 20)
    battle = field.ready()
    assert play(battle, {domino: "suicide"})[-1] == MatchEnded((0.0, 9.0), "no living shapes")


def test_7_2_if_both_have_none_it_is_a_draw() -> None:
    field = Field(home_u=90)
    ids = [field.put(1, DOMINO, 40, 40), field.put(2, BLOCK, 200, 20)]
    battle = field.ready()
    events = play(battle, dict.fromkeys(ids, "suicide"))
    assert events[-1] == MatchEnded((0.0, 0.0), "no living shapes: all equal")


@pytest.mark.parametrize(
    ("kills", "hp_taken", "counts", "ending"),
    [
        ((1, 2), (0, 10), "cells", MatchEnded((4.0, 0.0), "last turn: more cells killed")),
        ((1, 2), (30, 10), "shapes", MatchEnded((0.0, 9.0), "last turn: more shapes killed")),
        ((1, 1), (3, 2), "shapes", MatchEnded((4.0, 0.0), "last turn: more hp taken")),
        ((0, 0), (2, 3), "cells", MatchEnded((0.0, 9.0), "last turn: more hp taken")),
        ((0, 0), (3, 3), "cells", MatchEnded((0.0, 0.0), "last turn: all equal")),
    ],
    ids=["cells", "shapes", "hp where shapes are equal", "hp", "equal"],
)
def test_7_3_what_is_compared_after_the_last_turn(
    kills: tuple[int, int], hp_taken: tuple[int, int], counts: str, ending: MatchEnded
) -> None:
    field = Field(home_u=90, max_turns=50, kill_target_counts=counts)
    for row in (40, 60):
        field.put(1, DOMINO, 40, row)
    field.put(2, BLOCK, 200, 20)
    battle = field.ready(turn=50)
    (battle.killed[1][0], battle.killed[0][0]), battle.hp_taken[:] = kills, hp_taken
    assert play(battle)[-1] == ending


def test_7_3_the_flag_counts_more_than_kills() -> None:
    field = Field(home_u=90, max_turns=50)
    bearer = field.put(1, DOMINO, 40, 40)
    field.put(2, BLOCK, 200, 20)
    battle = field.ready(turn=50)
    battle.bearers[1], battle.killed[0][0], battle.hp_taken[1] = bearer, 5, 50
    assert GameOfDeath().standing(battle).scores == (500.0, 10.0)
    assert play(battle)[-1] == MatchEnded((2.0, 0.0), "last turn: the flag held")


def test_7_3_who_lives_on_and_took_nothing_has_not_won() -> None:
    field = Field(home_u=90, max_turns=50)
    field.put(1, DOMINO, 40, 40)
    field.put(2, BLOCK, 200, 20)
    battle = field.ready(turn=50)
    assert play(battle)[-1] == MatchEnded((0.0, 0.0), "last turn: all equal")


def test_7_3_hp_is_taken_from_living_enemies_alone() -> None:
    field = far(Field(home_u=90))
    victim = field.put(1, BLOCK, 60, 40)
    friend = field.put(1, BAR, 40, 40)
    enemy = field.put(2, BAR, 70, 40)
    dying = field.put(1, DOMINO, 64, 41, hp=0, dying_since=1)
    battle = field.ready(turn=2)
    events = play(battle, {friend: "attack forward", enemy: "attack forward"})
    assert only(events, ev.Damaged) == [
        # The block loses 5 + 5 - 1 to both together, and all of that counts for the enemy.
        ev.Damaged(1, (victim, dying), (9, 0), ((2,), (2,)))
    ]
    assert battle.hp_taken == [0, 9]


def test_7_3_healing_gives_nothing_back() -> None:
    field = far(Field(home_u=90, heal_every=1))
    victim = field.put(1, BLOCK, 60, 40)
    enemy = field.put(2, DOMINO, 64, 40, facing=2)
    battle = field.ready()
    play(battle, {enemy: "attack forward"})
    taken = 18 - battle.shapes[victim].hp
    assert taken == 1
    play(battle)
    assert battle.shapes[victim].hp == 18
    play(battle, {enemy: "attack forward"})
    assert battle.hp_taken == [0, 2]


@pytest.mark.parametrize("team", [1, 2])
def test_7_3_no_army_is_told_whose_attack_it_was(team: int) -> None:
    field = far(Field(home_u=90))
    victim = field.put(1, BLOCK, 60, 40)
    enemy = field.put(2, DOMINO, 64, 40, facing=2)
    battle = field.ready()
    [damaged] = only(play(battle, {enemy: "attack forward"}), ev.Damaged)
    assert damaged == ev.Damaged(1, (victim,), (17,), ((2,),))
    found = GameOfDeath().observed_event(battle, damaged, team)
    assert found == (ev.Damaged(1, (victim,), (17,)) if team == 1 else None)


@pytest.mark.parametrize(
    ("count", "killed", "is_disclosed"),
    [
        pytest.param(6, 5, True, id="9.14 83 %"),
        pytest.param(5, 4, False, id="9.14 80 %"),
        pytest.param(1, 1, True, id="7.4 the only one"),
        pytest.param(0, 0, False, id="7.4 none was placed"),
    ],
)
def test_what_is_disclosed(count: int, killed: int, is_disclosed: bool) -> None:
    from msgspec.structs import replace

    field = far(Field())
    battle = field.ready()
    battle.types[1] = (replace(battle.types[1][0], count=count),)
    battle.killed[1] = [killed]
    assert find_disclosed_types(battle, 1, 2) == ((0,) if is_disclosed else ())
    assert find_disclosed_types(battle, 2, 1) == ()


def test_7_4_it_is_told_at_the_end() -> None:
    field = Field(home_u=90)
    domino = field.put(1, DOMINO, 60, 40, hp=1)
    shooter = field.put(2, BAR, 70, 40)
    battle = field.ready()
    assert play(battle, {shooter: "attack forward"})[-2:] == [
        ev.Disclosed(2, (0,)),
        MatchEnded((0.0, 10.0), "no living shapes"),
    ]
    assert battle.disclosed == [(), (0,)]
    assert battle.types[0][0].code == "code"
    assert domino in battle.shapes


def test_7_5_points_are_the_cells_of_living_shapes_and_the_loser_has_none() -> None:
    field = far(Field())
    field.put(1, BLOCK, 60, 40)
    field.put(1, BLOCK, 60, 60, hp=0, dying_since=1)
    battle = field.ready(turn=2)
    assert make_match_end(battle, 1, "why") == MatchEnded((11.0, 0.0), "why")
    assert make_match_end(battle, 2, "why") == MatchEnded((0.0, 2.0), "why")
    assert make_match_end(battle, None, "why") == MatchEnded((0.0, 0.0), "why")
    battle.killed[1][0] = 3
    assert GameOfDeath().standing(battle) == Standing(2, 1_000, (6.0, 0.0))


def test_7_5_a_winner_has_at_least_one_point() -> None:
    field = Field(home_u=90)
    last = field.put(1, DOMINO, 14, 98, hp=0, dying_since=1)
    field.put(2, BLOCK, 200, 20, hp=0, dying_since=1)
    battle = field.ready(turn=2)
    battle.hp_taken[0] = 1
    assert last in battle.shapes
    assert play(battle)[-1] == MatchEnded((1.0, 0.0), "no living shapes: more hp taken")


def test_6_the_phases_of_a_turn_come_in_this_order() -> None:
    assert [name for name, _ in rules.TURN] == [
        *("broadcasts", "attacks", "damage", "movement", "captures", "delivery", "bodies"),
        *("healing", "end"),
    ]
    assert rules.DECIDE == "decide"
