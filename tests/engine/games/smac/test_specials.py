"""Specials (docs/rules/smac.md 8)."""

from collections import Counter
from typing import Any

import pytest

from engine.games.smac import events as ev
from engine.games.smac.combat import fighter
from engine.games.smac.orders import Orders, Use
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.rules import fight_all, grow, produce, use_specials
from engine.games.smac.settings import Characteristics
from engine.games.smac.state import Dish
from engine.games.smac.terrain import BARE, BASE, DIP, HILL, SUGAR, enrich
from tests.cases import for_each
from tests.engine.games.smac.dishes import a_dish, begin_turn, block, heights, of_type, orders, run

TURN = 8


def arm(dish: Dish, *specials: Special | None) -> Dish:
    """Return a dish where each team has selected a special the turn before."""
    for team, special in enumerate(specials, 1):
        if special is not None:
            dish.turn -= 1
            dish.apply(ev.Selected(team, special))
            dish.turn += 1
    return dish


def using(dish: Dish, target: Any = None, team: int = 1, seed: int = 1) -> list[Any]:
    """Let a team use the special that it has selected."""
    selection = dish.team(team).selection
    assert selection is not None
    assert selection.special is not None
    order = Orders(use=Use(selection.special, target))
    return run(dish, use_specials, {team: order}, seed)


def selecting(dish: Dish, special: str) -> list[Any]:
    return run(dish, use_specials, {1: orders(dish, select=special)})


def reasons(events: list[Any]) -> list[str]:
    return [skip.reason for event in of_type(events, ev.Skipped) for skip in event.skips]


def two_clusters(**more: Any) -> Dish:
    dish = block(a_dish(turn=TURN, **more), 1, 2, 2)
    return block(dish, 2, 8, 8)


def test_8_1_a_special_can_be_selected_from_turn_6_on() -> None:
    early = selecting(a_dish(turn=5), "NUKE")
    assert reasons(early) == ["specials can be selected from turn 6 on"]
    assert selecting(a_dish(turn=6), "NUKE") == [ev.Selected(1, Special.NUKE)]


def test_8_1_it_is_armed_from_the_next_turn_on_and_kept_until_used() -> None:
    dish = two_clusters()
    selecting(dish, "SHELL")
    same_turn = using(dish)
    assert reasons(same_turn) == ["was selected in turn 8 and is armed from the next one on"]
    begin_turn(dish, TURN + 1)
    begin_turn(dish, TURN + 9)
    assert of_type(using(dish), ev.SpecialUsed)


def test_8_1_selecting_another_one_replaces_it() -> None:
    dish = arm(two_clusters(), Special.NUKE)
    selecting(dish, "SHELL")
    selection = dish.team(1).selection
    assert selection is not None
    assert (selection.special, selection.is_armed(TURN)) == (Special.SHELL, False)
    assert selection.is_armed(TURN + 1)


def test_8_1_selecting_the_same_one_again_leaves_it_armed() -> None:
    dish = arm(two_clusters(), Special.NUKE)
    assert selecting(dish, "NUKE") == []
    assert of_type(using(dish, (5, 5)), ev.SpecialUsed)


def test_8_1_in_the_turn_of_its_use_the_next_one_may_be_selected() -> None:
    dish = arm(two_clusters(), Special.SHELL)
    events = run(dish, use_specials, {1: orders(dish, use={"special": "SHELL"}, select="NUKE")})
    assert events == [ev.SpecialUsed(1, Special.SHELL, None, 1, ()), ev.Selected(1, Special.NUKE)]


def test_8_1_each_special_can_be_used_once() -> None:
    dish = arm(two_clusters(), Special.SHELL)
    using(dish)
    assert reasons(use_special(dish, "SHELL")) == ["is not selected; nothing is"]
    assert reasons(selecting(dish, "SHELL")) == ["it was used already"]
    assert selecting(dish, "NUKE") == [ev.Selected(1, Special.NUKE)]


def test_8_1_one_special_per_game_is_a_setting() -> None:
    dish = arm(two_clusters(one_special_per_game=True), Special.SHELL)
    using(dish)
    assert reasons(selecting(dish, "NUKE")) == ["one special per game, and SHELL was used"]


def use_special(dish: Dish, special: str, target: Any = None) -> list[Any]:
    use = {"special": special, "target": target}
    return run(dish, use_specials, {1: orders(dish, use=use)})


def test_8_1_only_what_is_selected_can_be_used() -> None:
    dish = arm(two_clusters(), Special.SHELL)
    assert use_special(dish, "NUKE", [5, 5]) == [
        ev.Skipped(1, (Skip("use NUKE", "is not selected; SHELL is"),), 0)
    ]


@for_each(
    "special, target, is_legal",
    [
        ("SHELL", None, True),
        ("SHELL", 1, True),
        ("SHELL", [2, 2], True),
        ("SHELL", 2, False),
        ("SHELL", [8, 8], False),
        ("BLIGHT", 2, True),
        ("BLIGHT", [8, 8], True),
        ("BLIGHT", 1, False),
        ("BLIGHT", 3, False),
        ("BLIGHT", 0, False),
        ("BLIGHT", [5, 5], False),
        ("BLIGHT", None, False),
        ("NUKE", [0, 0], True),
        ("NUKE", [8, 8], True),
        ("NUKE", 2, False),
        ("NUKE", None, False),
        ("ENRICH", [11, 11], True),
        ("ENRICH", 1, False),
        ("BLOOM", [0, 11], True),
        ("BLOOM", None, False),
        ("SPORE", [1, 10], True),
        ("SPORE", [0, 5], False),
        ("SPORE", None, False),
    ],
)
def test_8_2_a_target_is_a_cell_or_a_team(special: str, target: Any, is_legal: bool) -> None:
    dish = arm(two_clusters(), Special(special))
    events = use_special(dish, special, target)
    assert bool(of_type(events, ev.SpecialUsed)) == is_legal
    assert bool(reasons(events)) != is_legal
    assert dish.team(1).bank == 20_000  # free of charge


def test_8_2_a_team_that_is_out_is_no_target() -> None:
    dish = arm(two_clusters(teams=3), Special.BLIGHT)
    dish.apply(ev.WentOut(3))
    assert reasons(using(dish, 3))


def test_8_3_a_shell_adds_2_to_the_defense_of_this_turns_combat() -> None:
    dish = arm(two_clusters(), Special.SHELL)
    assert fighter(dish, 0, 1).defense == 0
    using(dish)
    assert (fighter(dish, 0, 1).defense, fighter(dish, 0, 2).defense) == (2, 0)
    begin_turn(dish, TURN + 1)
    assert fighter(dish, 0, 1).defense == 0


def test_8_3_a_blight_halves_what_the_target_receives_and_not_what_counts_for_victory() -> None:
    picture = "B3 B2"  # 0.70 and 0.40, with productivity 3: 1.430
    levels = {2: Characteristics(stacking=3, productivity=3)}
    dish = arm(a_dish(picture, levels=levels, turn=TURN), Special.BLIGHT)
    using(dish, 2)
    assert run(dish, produce) == [ev.Produced((0, 1_430)), ev.Banked(2, 20_715)]
    dish.team(2).levels = dish.team(2).levels._replace(productivity=0)
    begin_turn(dish, TURN + 1)
    assert run(dish, produce) == [ev.Produced((0, 1_100)), ev.Banked(2, 21_815)]


def test_8_3_a_blight_rounds_down_to_the_thousandth() -> None:
    dish = arm(a_dish("B6", turn=TURN), Special.BLIGHT)
    dish.team(2).levels = Characteristics(stacking=6, productivity=1)
    using(dish, 2)
    assert run(dish, produce) == [ev.Produced((0, 145 * 11)), ev.Banked(2, 20_000 + 797)]


@pytest.mark.parametrize(
    ("before", "after"), [(BARE | HILL, HILL), (DIP, DIP | SUGAR), (SUGAR | BASE, SUGAR | BASE)]
)
def test_8_3_enrich_raises_the_production_trait_for_good(before: int, after: int) -> None:
    assert enrich(before) == after
    dish = arm(two_clusters(terrain={(5, 6): before}), Special.ENRICH)
    using(dish, (5, 6))
    assert dish.terrain[6 * dish.side + 5] == after


def test_8_3_a_bloom_grows_around_the_square_with_one_neighbor_less() -> None:
    """Three are seen beside a lone cluster: that is enough now, within a distance of 2."""
    dish = arm(two_clusters(), Special.BLOOM)
    before = set(heights(dish, 1))
    events = using(dish, (4, 2))
    assert set(heights(dish, 1)) - before == {(2, 0), (4, 2), (2, 4)}  # not (0, 2): too far
    side = dish.side
    cells = (2, 2 * side + 4, 4 * side + 2)
    assert events == [
        ev.SpecialUsed(1, Special.BLOOM, 2 * side + 4, None, cells),
        ev.Grown(1, cells, (1, 1, 1)),
    ]
    assert set(heights(dish, 2)) == {(x, y) for x in (7, 8, 9) for y in (7, 8, 9)}


def test_8_3_a_bloom_keeps_relief_and_distance() -> None:
    dish = arm(two_clusters(terrain={(4, 2): HILL, (4, 3): DIP}), Special.BLOOM)
    using(dish, (5, 2))
    assert set(heights(dish, 1)) & {(4, 1), (4, 2), (4, 3), (2, 4)} == {(4, 3)}


def test_8_3_spores_fall_where_nobody_is() -> None:
    dish = arm(two_clusters(), Special.SPORE)
    events = using(dish, (4, 4))
    assert (3, 3) in heights(dish, 1)
    assert heights(dish, 1)[3, 3] == 1
    assert len(of_type(events, ev.Grown)[0].cells) == 8
    assert dish.owners[4 * dish.side + 4] == 0  # nobody's, until combat
    run(dish, fight_all)
    assert dish.owners[4 * dish.side + 4] == 1


def test_8_3_a_nuke_removes_all_stacks_within_a_distance_of_1() -> None:
    dish = arm(two_clusters(), Special.NUKE)
    block(dish, 2, 4, 4)
    using(dish, (3, 3))
    gone = {(x, y) for x in (2, 3, 4) for y in (2, 3, 4)}
    assert not gone & (set(heights(dish, 1)) | set(heights(dish, 2)))
    assert {dish.owners[y * dish.side + x] for x, y in gone} == {0}
    assert (1, 1) in heights(dish, 1)
    assert (5, 5) in heights(dish, 2)
    assert {cell for cell, turn in dish.unusual.items() if turn == TURN} == {
        y * dish.side + x for x, y in gone
    }


def test_8_3_a_nuke_in_the_corner_stays_on_the_board() -> None:
    dish = arm(two_clusters(), Special.NUKE)
    assert len(of_type(using(dish, (0, 0)), ev.Cleared)[0].cells) == 4


def test_8_4_specials_are_carried_out_in_the_order_of_the_table() -> None:
    """Spores come before the nuke that removes them, whoever has the initiative."""
    levels = {2: Characteristics(stacking=1, pinit=3)}
    dish = arm(two_clusters(levels=levels), Special.SPORE, Special.NUKE)
    given = {1: Orders(use=Use(Special.SPORE, (5, 5))), 2: Orders(use=Use(Special.NUKE, (5, 5)))}
    events = run(dish, use_specials, given)
    assert [event.special for event in of_type(events, ev.SpecialUsed)] == ["SPORE", "NUKE"]
    assert (5, 5) not in heights(dish, 1)
    assert [*Special] == ["SHELL", "BLIGHT", "ENRICH", "BLOOM", "SPORE", "NUKE"]


def test_8_4_equal_specials_are_ordered_by_pinit_then_by_lot() -> None:
    first: Counter[int] = Counter()
    for seed in range(100):
        dish = arm(two_clusters(), Special.SPORE, Special.SPORE)
        both = {team: Orders(use=Use(Special.SPORE, (5, 5))) for team in (1, 2)}
        run(dish, use_specials, both, seed)
        first[1 if (5, 5) in heights(dish, 1) else 2] += 1
    assert min(first.values()) > 30
    levels = {2: Characteristics(stacking=1, pinit=1)}
    dish = arm(two_clusters(levels=levels), Special.SPORE, Special.SPORE)
    run(dish, use_specials, both)
    assert (5, 5) in heights(dish, 2)


def test_8_4_after_an_illegal_target_the_special_stays_armed() -> None:
    dish = arm(two_clusters(), Special.BLIGHT)
    assert reasons(using(dish, 1))
    assert of_type(using(dish, 2), ev.SpecialUsed)


def test_8_5_several_blights_on_one_team_halve_once_and_are_all_used_up() -> None:
    dish = a_dish("C3 C2", teams=3, turn=TURN, levels={3: Characteristics(stacking=3)})
    arm(dish, Special.BLIGHT, Special.BLIGHT)
    run(dish, use_specials, {team: Orders(use=Use(Special.BLIGHT, 3)) for team in (1, 2)})
    assert [dish.team(team).used for team in (1, 2)] == [[Special.BLIGHT]] * 2
    assert run(dish, produce) == [ev.Produced((0, 0, 1_100)), ev.Banked(3, 20_550)]


def test_8_5_enrich_on_a_sugar_cell_is_used_up_without_effect() -> None:
    dish = arm(two_clusters(terrain={(5, 6): SUGAR | DIP}), Special.ENRICH)
    using(dish, (5, 6))
    assert dish.terrain[6 * dish.side + 5] == SUGAR | DIP
    assert dish.team(1).used == [Special.ENRICH]


@pytest.mark.parametrize("middle", ["a1", "a1b1"])
def test_8_6_in_a_cell_without_owner_a_stack_does_not_grow_contested_or_not(middle: str) -> None:
    levels = {1: Characteristics(stacking=5)}
    dish = a_dish(f"A1 A1 A1\nA1 {middle} A1\nA1 A1 A1", levels=levels, turn=TURN)
    run(dish, grow)
    assert heights(dish, 1)[1, 1] == 1
    using(arm(dish, Special.BLOOM), (1, 1))
    assert heights(dish, 1)[1, 1] == 1


def test_spores_on_base_and_in_a_full_block_are_legal_and_change_nothing() -> None:
    dish = arm(two_clusters(terrain={(2, 2): BASE}), Special.SPORE)
    events = using(dish, (2, 2))
    assert of_type(events, ev.Grown) == []
    assert dish.team(1).used == [Special.SPORE]
