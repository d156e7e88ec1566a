"""Combat, exactly and by fighting it out (docs/rules/smac.md 5D)."""

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from engine.games.smac import events as ev
from engine.games.smac.chance import SAMPLERS, distribution, hit_probability
from engine.games.smac.combat import Fighter, fight, fighter, win_probability
from engine.games.smac.pieces import Fight
from engine.games.smac.rules import fight_all
from engine.games.smac.settings import ChanceModel, Characteristics, DefenseModel
from engine.games.smac.state import Dish
from engine.games.smac.terrain import ACID, BASE, DIP, HILL
from engine.streams import Stream
from tests.engine.games.smac.dishes import a_dish, heights, of_type, owned_cells, run

HALVING, NORMAL = ChanceModel.HALVING, ChanceModel.NORMAL
DRAWS = 30_000
FIGHTS = 4_000


def a_duel(
    owner: int = 1, invader: int = 1, *, terrain: int = 0, attack: int = 0, **settings: Any
) -> Dish:
    """Team 1 owns (0, 0), team 2 is in it too, with this attack level."""
    levels = {1: Characteristics(stacking=9), 2: Characteristics(attack=attack, stacking=9)}
    drawing = f"A{owner}b{invader}"
    return a_dish(drawing, terrain={(0, 0): terrain}, levels=levels, **settings)


def owner_win_probability(dish: Dish) -> Fraction:
    """Return the win probability, by enumeration of the rules' own fighters and chance."""
    one, other = fighter(dish, 0, 1), fighter(dish, 0, 2)
    return win_probability(one, other, dish.layer(1)[0], dish.layer(2)[0], HALVING)


DUELS = [
    pytest.param(a_duel(), Fraction(5, 7), id="10.8 plain"),
    pytest.param(a_duel(terrain=HILL), Fraction(23, 25), id="10.8 HILL"),
    pytest.param(a_duel(terrain=DIP), Fraction(7, 17), id="10.8 DIP"),
    pytest.param(a_duel(terrain=BASE), Fraction(11, 13), id="10.8 BASE"),
    pytest.param(a_duel(terrain=ACID), Fraction(1, 2), id="10.8 ACID"),
    pytest.param(a_duel(terrain=HILL | BASE), Fraction(47, 49), id="10.8 HILL and BASE"),
    pytest.param(a_duel(attack=2), Fraction(7, 17), id="10.8 invader with attack 2"),
    pytest.param(a_duel(1, 2), Fraction(25, 224), id="10.8 1 against an invader of 2"),
    pytest.param(a_duel(2, 1), Fraction(926, 931), id="10.8 2 against 1"),
    pytest.param(a_duel(2, 2), Fraction(41555, 50176), id="10.8 2 against 2"),
]


@pytest.mark.parametrize(("dish", "expected"), DUELS)
def test_10_8_the_owner_is_left_with_exactly_this_probability(
    dish: Dish, expected: Fraction
) -> None:
    assert owner_win_probability(dish) == expected


@pytest.mark.parametrize(("dish", "expected"), DUELS)
def test_10_8_the_rules_fight_as_often_to_that_end(dish: Dish, expected: Fraction) -> None:
    """The share is within five standard deviations, with a fixed stream."""
    stream = Stream(b"8")
    won = sum(fight(dish, 0, stream).winner == 1 for _ in range(FIGHTS))
    deviation = sqrt(FIGHTS * expected * (1 - expected))
    assert abs(won - FIGHTS * expected) < 5 * deviation


@pytest.mark.parametrize(
    ("first", "second"), [pytest.param(1, 0, id="owner"), pytest.param(0, 1, id="invader")]
)
def test_5_6_the_higher_cinit_attacks_first_in_every_round(first: int, second: int) -> None:
    dish = a_duel(2, 2)
    for team, cinit in ((1, first), (2, second)):
        dish.team(team).levels = dish.team(team).levels._replace(cinit=cinit)
    expected, stream = owner_win_probability(dish), Stream(b"4")
    assert expected != Fraction(41555, 50176)
    won = sum(fight(dish, 0, stream).winner == 1 for _ in range(FIGHTS))
    assert abs(won - FIGHTS * expected) < 5 * sqrt(FIGHTS * expected * (1 - expected))


def test_5_6_a_fight_goes_on_until_one_team_is_left() -> None:
    dish = a_dish("A1b1c1", teams=3)
    (report,) = of_type(run(dish, fight_all), ev.Fought)
    assert report.fight.left >= 1
    assert sum(bool(layer[0]) for layer in dish.heights) == 1
    assert dish.owners[0] == report.fight.winner


def test_5_6_each_of_several_enemies_is_attacked_as_often() -> None:
    """The owner is strong and hits at once; who of the others is hit first is left less often."""
    won: Counter[int] = Counter()
    dish, stream = a_dish("a1b1c1", teams=3), Stream(b"5")
    for _ in range(3_000):
        won[fight(dish, 0, stream).winner] += 1
    assert min(won.values()) > 900


def test_5_6_cells_are_fought_for_row_by_row_and_told_with_who_fought() -> None:
    dish = a_dish("A2b1 . B1a1\n. . .\nA1b1 . .", levels={1: Characteristics(stacking=9)})
    reports = [event.fight for event in of_type(run(dish, fight_all), ev.Fought)]
    side = dish.side
    assert [(report.cell, report.owner, report.heights) for report in reports] == [
        (0, 1, (2, 1)),
        (2, 2, (1, 1)),
        (2 * side, 1, (1, 1)),
    ]
    assert dish.fights == {report.cell: report for report in reports}
    assert set(dish.unusual) == {0, 2, 2 * side}
    assert all(report.rounds >= 1 for report in reports)


def test_2_4_the_only_stack_left_owns_the_cell() -> None:
    dish = a_duel(1, 9)
    run(dish, fight_all)
    assert (owned_cells(dish, 2), owned_cells(dish, 1)) == ({(0, 0)}, set())
    assert dish.since[0] == dish.turn
    dish = a_duel(9, 1)
    dish.turn = 5
    run(dish, fight_all)
    assert owned_cells(dish, 1) == {(0, 0)}
    assert dish.since[0] != 5  # it did not change hands


@pytest.mark.parametrize(
    ("raw", "terrain", "defends"),
    [
        (1, 0, 2),
        (3, 0, 6),
        (1, BASE, 3),
        (2, ACID, 3),
        (1, HILL, 4),
        (1, DIP, 0),
        (2, HILL | BASE, 7),
        pytest.param(1, ACID, 1, id="10.9 a stack of 1 on ACID"),
    ],
)
def test_5_7_and_10_9_the_owner_defends_with_its_bonus_and_the_terrain(
    raw: int, terrain: int, defends: int
) -> None:
    assert Fighter(0, 0, 0, True, terrain).defense_with(raw) == defends
    assert Fighter(0, 3, 0, True, terrain).defense_with(raw) == defends + 3


def test_5_7_an_invader_defends_with_its_raw_height_on_any_terrain() -> None:
    for terrain in (0, HILL, DIP, BASE, ACID):
        assert Fighter(0, 2, 0, False, terrain).defense_with(3) == 5


@pytest.mark.parametrize(
    ("terrain", "defends", "odds"),
    [
        (0, 3, Fraction(5, 7)),
        (HILL, 5, Fraction(23, 34)),
        (DIP, 1, Fraction(1, 2)),
        (BASE, 4, Fraction(11, 16)),
        (ACID, 2, Fraction(10, 17)),
        (DIP | ACID, 0, Fraction(65, 142)),
    ],
)
def test_5_7_with_the_seeds_defense_terrain_helps_and_harms_an_invader(
    terrain: int, defends: int, odds: Fraction
) -> None:
    seed = DefenseModel.SEED
    assert Fighter(0, 2, 0, False, terrain, seed).defense_with(3) == 2 + defends
    one, other = (Fighter(0, 0, 0, is_owner, terrain, seed) for is_owner in (True, False))
    assert win_probability(one, other, 1, 1, ChanceModel.HALVING) == odds
    plain = Fighter(0, 2, 0, True, terrain)
    assert plain._replace(defense_counts=seed).defense_with(3) == plain.defense_with(3)


def test_5_7_the_setting_reaches_the_fight() -> None:
    invaders = [
        fighter(a_duel(1, 1, terrain=HILL, defense_counts=model), 0, 2) for model in DefenseModel
    ]
    assert [invader.defense_with(1) for invader in invaders] == [1, 3]


def test_5_7_an_attack_is_the_level_and_twice_the_raw_height() -> None:
    assert Fighter(3, 9, 9, True, BASE | HILL).attack_with(2) == 7


def test_5_8_effective_height_counts_for_the_owner_alone() -> None:
    dish = a_duel(1, 1, terrain=BASE)
    assert fighter(dish, 0, 1).defense_with(1) == 3
    assert fighter(dish, 0, 2).defense_with(1) == 1


def test_5_9_at_the_limit_the_owner_stays() -> None:
    dish = _without_end("A1b1")
    assert fight(dish, 0, Stream(b"1")) == Fight(1, 0, 1, (1, 1), 200, 1, 1)


def test_5_9_at_the_limit_the_highest_stays_where_nobody_owns_the_cell() -> None:
    assert fight(_without_end("a1b2"), 0, Stream(b"1")).winner == 2
    winners = {fight(_without_end("a2b2"), 0, Stream(b"%d" % seed)).winner for seed in range(30)}
    assert winners == {1, 2}


def test_5_9_the_limit_is_a_setting() -> None:
    assert fight(_without_end("A1b1", combat_round_limit=3), 0, Stream(b"1")).rounds == 3


@pytest.mark.parametrize("model", [HALVING, NORMAL])
def test_5_10_what_is_drawn_follows_its_law(model: ChanceModel) -> None:
    stream, draw = Stream(b"2"), SAMPLERS[model]
    counts = Counter(draw(stream) for _ in range(DRAWS))
    shares = distribution(model)
    assert sum(shares.values()) == 1
    assert set(counts) <= set(shares)
    for value, share in shares.items():
        deviation = sqrt(DRAWS * share * (1 - share))
        assert abs(counts[value] - DRAWS * share) < 5 * deviation + 1, value


def test_5_10_halving_is_a_third_at_0_and_half_as_likely_with_each_step() -> None:
    shares = distribution(HALVING)
    assert shares[0] == Fraction(1, 3)
    for k in range(1, 20):
        assert shares[k] == shares[-k] == Fraction(1, 3) / 2**k
    assert max(shares) == 20
    assert shares[20] == shares[19]  # with all that would be larger


def test_5_10_the_deviation_of_halving_is_2() -> None:
    variance = sum(share * value * value for value, share in distribution(HALVING).items())
    assert variance == pytest.approx(4, abs=0.01)
    assert hit_probability(1, HALVING) == Fraction(2, 3)


def test_5_10_normal_is_rounded_with_deviation_2_and_a_half() -> None:
    shares = distribution(NORMAL)
    assert [round(float(shares[k]), 3) for k in (0, 1, -1, 2)] == [0.159, 0.146, 0.146, 0.116]
    variance = sum(share * value * value for value, share in shares.items())
    assert float(variance) == pytest.approx(2.5**2 + 1 / 12, abs=0.01)


@pytest.mark.parametrize(
    ("margin", "hits"),
    [(-3, "1/24"), (-2, "1/12"), (-1, "1/6"), (0, "1/3"), (1, "2/3"), (2, "5/6"), (3, "11/12")],
)
def test_5_10_the_table_of_hits(margin: int, hits: str) -> None:
    assert hit_probability(margin, HALVING) == Fraction(hits)


def test_odds_of_a_fight_in_which_nobody_can_hit_follow_5_9() -> None:
    owner, invader = Fighter(0, 99, 0, True, 0), Fighter(0, 99, 0, False, 0)
    assert win_probability(owner, invader, 1, 1, HALVING) == 1
    assert win_probability(invader, owner, 1, 1, HALVING) == 0
    assert win_probability(invader, invader, 2, 1, HALVING) == 1
    assert win_probability(invader, invader, 1, 1, HALVING) == Fraction(1, 2)


def test_what_stands_alone_is_not_fought_for() -> None:
    dish = a_dish("A2 B1", levels={1: Characteristics(stacking=2)})
    assert run(dish, fight_all) == []
    assert heights(dish, 1) == {(0, 0): 2}


def _without_end(picture: str, **settings: Any) -> Dish:
    levels = dict.fromkeys((1, 2), Characteristics(defense=40, stacking=9))
    return a_dish(picture, levels=levels, **settings)
