"""The audit of seats."""

from collections.abc import Iterator
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.statistics.fairness import (
    BiasedMap,
    Fairness,
    audit_fairness,
    chi_square_tail,
    friedman_test,
)
from runners.statistics.scores import Score, SideSwappedSet
from tests.runners.side_swapped import EVEN, a_pair

FIRST_WINS, SECOND_WINS = (1.0, 0.0), (0.0, 1.0)
"""The shares of the entrant who is named first: as team 1 and as team 2."""


def swapped(first: int = 0, second: int = 0, neither: int = 0) -> Fairness:
    """Make so many pairs in which team 1 won both matches, team 2 did, or the bots one each."""
    outcomes = [FIRST_WINS] * first + [SECOND_WINS] * second + [(1.0, 1.0)] * neither
    return audit_fairness(a_pair(0, 1, points, seed) for seed, points in enumerate(outcomes))


def test_nothing_played_nothing_known() -> None:
    found = audit_fairness([])
    assert found == Fairness(
        sets=0, maps=0, matches=0, left_out=0, seats=(), p_value=1.0, offenders=()
    )
    assert found.describe() == "nothing is known of the seats: no complete set was played"


def test_a_better_bot_favors_no_side() -> None:
    found = swapped(neither=50)
    assert found.is_fair
    assert [seat.share for seat in found.seats] == [0.5, 0.5]
    assert found.decided_by_side == 0
    assert found.offenders == ()
    assert found.describe().startswith("no team is favored beyond chance: team 1 took 50.0% ")


def test_maps_that_decide_by_side_may_be_fair_on_the_whole() -> None:
    found = swapped(first=20, second=20, neither=10)
    assert found.is_fair
    assert found.decided_by_side == 40
    assert [seat.swept for seat in found.seats] == [20, 20]


def test_a_favored_side_is_named() -> None:
    found = swapped(first=40, second=20, neither=40)
    one, two = found.seats
    assert not found.is_fair
    assert one.share == pytest.approx(0.6)
    assert one.elo == pytest.approx(70.4, abs=0.1)
    assert 0.5 < one.low < 0.6 < one.high < 0.7
    assert (two.low, two.high) == pytest.approx((1 - one.high, 1 - one.low))
    assert found.describe().startswith("one team is favored: team 1 took 60.0% of the points")


def test_where_team_2_always_wins_the_advantage_has_no_limit() -> None:
    seats = swapped(second=30).seats
    assert (seats[0].elo, seats[1].elo) == (None, None)
    assert seats[1].low > 0.85


def test_of_two_seats_the_verdict_agrees_with_the_interval() -> None:
    for first in range(20, 45):
        found = swapped(first=first, second=20, neither=30)
        assert found.is_fair == (found.seats[0].low <= 0.5)


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=12, max_size=12), min_size=1))
def test_of_two_seats_one_is_the_mirror_image_of_the_other(maps: list[list[float]]) -> None:
    found = audit_fairness(
        a_pair(0, 1, (points[2 * number], points[2 * number + 1]), seed)
        for seed, points in enumerate(maps)
        for number in range(6)
    )
    one, two = found.seats
    assert (two.share, two.low, two.high) == pytest.approx(
        (1 - one.share, 1 - one.high, 1 - one.low)
    )
    # Both are rounded on their own: just where they turn, one may come a hair before the other.
    assert found.p_value < 0.051 or one.low <= 0.5 <= one.high
    assert found.p_value > 0.049 or not one.low < 0.5 < one.high


def test_a_bot_against_itself_needs_one_match_a_seed() -> None:
    found = audit_fairness(
        SideSwappedSet(seed, (Score((7, 7), (float(seed % 4 != 0), 0.5)),)) for seed in range(80)
    )
    assert (found.sets, found.matches, found.left_out) == (80, 80, 0)
    assert found.seats[0].share == pytest.approx(0.75)
    assert not found.is_fair


def test_half_a_pair_is_left_out() -> None:
    half = SideSwappedSet(0, (Score((0, 1), (1.0, 0.0)),))
    found = audit_fairness([half, a_pair(0, 1, EVEN)])
    assert (found.sets, found.left_out) == (1, 1)


def test_what_several_play_on_one_map_is_one_trial() -> None:
    alone = [a_pair(0, 1, FIRST_WINS if seed % 3 else SECOND_WINS, seed) for seed in range(30)]
    together = [
        a_pair(0, other, FIRST_WINS if seed % 3 else SECOND_WINS, seed)
        for seed in range(30)
        for other in (1, 2, 3, 4)
    ]
    one, four = audit_fairness(alone), audit_fairness(together)
    assert (one.sets, four.sets) == (30, 120)
    assert one.maps == four.maps == 30
    assert four.p_value == pytest.approx(one.p_value)
    assert [(seat.share, seat.low, seat.high) for seat in four.seats] == [
        pytest.approx((seat.share, seat.low, seat.high)) for seat in one.seats
    ]


def fair_sets(chance: np.random.Generator, maps: int) -> Iterator[SideSwappedSet]:
    """Make sets of six pairings on each map; a map that favors a side does so for all of them."""
    for seed in range(maps):
        share = 1 / (1 + exp(-chance.normal(0, 3)))
        for other in range(1, 7):
            swept = FIRST_WINS if chance.random() < share else SECOND_WINS
            yield a_pair(0, other, swept if chance.random() < 0.5 else (1.0, 1.0), seed)


@pytest.mark.slow
def test_maps_that_favor_a_side_for_all_make_no_fair_game_unfair() -> None:
    chance = np.random.default_rng(3)
    audits = [audit_fairness(fair_sets(chance, 40)) for _ in range(400)]
    unfair = sum(not found.is_fair for found in audits) / len(audits)
    assert 0.02 <= unfair <= 0.05 + 2 * 0.011
    inside = [found.seats[0].low <= 0.5 <= found.seats[0].high for found in audits]
    assert inside == [found.is_fair for found in audits]


def test_the_worst_map_comes_first_counted_over_all_who_played_it() -> None:
    sets = [a_pair(0, 1, SECOND_WINS, seed=5)]
    sets += [a_pair(0, other, (1.0, 0.5), seed=9) for other in (1, 2, 3)]
    sets += [a_pair(0, 1, (1.0, 1.0), seed=1)]
    assert audit_fairness(sets).offenders == (
        BiasedMap(seed="9", seat=1, share=0.75, sets=3),
        BiasedMap(seed="5", seat=2, share=1.0, sets=1),
    )


def rotation(chance: np.random.Generator, lead: float) -> SideSwappedSet:
    """Four bots of four strengths rotate; whoever sits first has a lead."""
    scores = []
    for turn in range(4):
        seats = tuple((turn + seat) % 4 for seat in range(4))
        points = [chance.normal(seat) for seat in seats]
        points[0] += lead
        scores.append(Score(seats, tuple(points)))
    return SideSwappedSet(int(chance.integers(10**6)), tuple(scores))


def test_of_four_seats_a_favored_one_is_found() -> None:
    chance = np.random.default_rng(1)
    found = audit_fairness(rotation(chance, 1.0) for _ in range(60))
    assert not found.is_fair
    assert max(found.seats, key=lambda seat: seat.share).number == 1
    assert sum(seat.share for seat in found.seats) == pytest.approx(2)


def test_of_four_fair_seats_chance_favors_one_in_about_5_of_100_audits() -> None:
    chance = np.random.default_rng(2)
    # What four bots of four strengths took of a set, dealt out to the seats by chance.
    audits = [chance.permuted(np.tile([0.3, 0.4, 0.6, 0.7], (30, 1)), axis=1) for _ in range(1_000)]
    unfair = sum(friedman_test(shares, np.ones(30)) < 0.05 for shares in audits)
    assert unfair / 1_000 == pytest.approx(0.05, abs=2 * 0.0069)


def test_level_matches_of_four_are_fair() -> None:
    level = SideSwappedSet(
        0, tuple(Score(tuple((t + s) % 4 for s in range(4)), (1.0,) * 4) for t in range(4))
    )
    assert audit_fairness([level] * 5).p_value == 1.0


@pytest.mark.parametrize(
    ("freedom", "limit"),
    [(1, 3.841459), (2, 5.991465), (3, 7.814728), (4, 9.487729), (7, 14.067140)],
)
def test_the_tails_of_chi_square_are_the_published_ones(freedom: int, limit: float) -> None:
    assert chi_square_tail(limit, freedom) == pytest.approx(0.05, abs=1e-7)
    assert chi_square_tail(0.0, freedom) == 1.0
