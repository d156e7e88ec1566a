"""The odds that recorded fights are compared with, and which fights are compared."""

from fractions import Fraction
from math import sqrt

import pytest

from benchmarks.audits.fights import Row, Stack, Trial, hit_chance, play, winning_chances
from engine.games.smac.chance import hit_probability
from engine.games.smac.combat import Fighter, win_probability
from engine.games.smac.settings import ChanceModel

HILL, DIP, BASE, ACID = 2, -2, 1, -1


@pytest.mark.parametrize("margin", range(-22, 23))
def test_5_10_a_hit_is_as_likely_as_in_the_law_of_chance(margin: int) -> None:
    exact = hit_probability(margin, ChanceModel.HALVING)
    assert hit_chance(margin) == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("bonus", "heights", "attack", "expected"),
    [
        (0, (1, 1), 0, Fraction(5, 7)),
        (HILL, (1, 1), 0, Fraction(23, 25)),
        (DIP, (1, 1), 0, Fraction(7, 17)),
        (BASE, (1, 1), 0, Fraction(11, 13)),
        (ACID, (1, 1), 0, Fraction(1, 2)),
        (HILL + BASE, (1, 1), 0, Fraction(47, 49)),
        (0, (1, 1), 2, Fraction(7, 17)),
        (0, (1, 2), 0, Fraction(25, 224)),
        (0, (2, 1), 0, Fraction(926, 931)),
        (0, (2, 2), 0, Fraction(41555, 50176)),
    ],
)
def test_10_8_the_owner_is_left_as_often_as_the_rules_say(
    bonus: int, heights: tuple[int, int], attack: int, expected: Fraction
) -> None:
    stacks = Stack(0, 0, 0, bonus), Stack(attack, 0, 0, None)
    assert winning_chances(stacks, heights)[0] == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize(("owner", "invader"), [(1, 0), (0, 1), (2, 2)])
def test_5_6_the_game_computes_the_same_odds_for_any_initiative(owner: int, invader: int) -> None:
    exact = win_probability(
        Fighter(1, 1, owner, True, 0), Fighter(2, 0, invader, False, 0), 2, 2, ChanceModel.HALVING
    )
    stacks = Stack(1, 1, owner, 0), Stack(2, 0, invader, None)
    assert winning_chances(stacks, (2, 2))[0] == pytest.approx(float(exact), abs=1e-9)


def test_5_6_of_three_equals_each_is_left_as_often() -> None:
    chances = winning_chances((Stack(0, 0, 0, None),) * 3, (1, 1, 1))
    assert chances == pytest.approx((1 / 3,) * 3)


def test_5_9_who_cannot_be_hit_stays_as_its_owner() -> None:
    stacks = Stack(0, 60, 0, 0), Stack(0, 60, 0, None)
    assert winning_chances(stacks, (1, 2)) == (1.0, 0.0)


def test_all_fights_of_a_match_are_collected_and_only_the_last_of_each_cell_is_kept() -> None:
    collector = play(1, 1, with_starters=False)
    assert 0 < len(collector.last_in_cells) < len(collector.trials)
    assert {trial.seed for trial in collector.trials} == {1}
    assert all(0 <= trial.chance <= 1 for trial in collector.trials)


def test_wins_beyond_those_expected_are_counted_in_standard_deviations() -> None:
    row = Row()
    for won in (True, True, True, False):
        row.add(Trial(seed=1, groups=(), won=won, chance=0.5))
    assert row.z == pytest.approx(1 / sqrt(4 * 0.25))
    assert row.z_by_seed == pytest.approx(1.0)  # they are one case, if their seed decides
