"""Published ratings."""

from itertools import pairwise
from math import log10, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.statistics import resampling
from runners.statistics.comparisons import Floats
from runners.statistics.elo import ELO_PER_NATURAL_UNIT
from runners.statistics.ratings import (
    Anchor,
    Rating,
    RatingKind,
    Ratings,
    largest_linked_group,
    rate,
)
from runners.statistics.scores import PairwiseResults, Score, SideSwappedSet
from tests.runners.side_swapped import EVEN, LOST, WON, a_pair, pairs, round_robin
from tests.runners.statistics.by_matrices import fit_by_matrices


def rated(
    sets: list[SideSwappedSet], entrants: int = 0, *, anchor: Anchor | None = None, seed: int = 0
) -> Ratings:
    return rate(PairwiseResults(sets), range(entrants), anchor=anchor, rounds=100, seed=seed)


def elos(ratings: Ratings) -> list[float | None]:
    return [rating.elo for rating in ratings.ratings]


def kinds(ratings: Ratings) -> list[RatingKind]:
    return [rating.kind for rating in ratings.ratings]


@pytest.mark.parametrize(("won", "lost"), [(500, 500), (750, 250), (900, 100), (200, 500)])
def test_of_two_the_difference_is_that_of_the_elo_formula(won: int, lost: int) -> None:
    better, worse = elos(rated(pairs(0, 1, won=won, lost=lost)))
    assert better is not None
    assert worse is not None
    assert better - worse == pytest.approx(400 * log10(won / lost), abs=0.5)
    assert better + worse == pytest.approx(3000, abs=0.02)


def test_the_interval_of_many_results_is_95_percent_of_the_normal_distribution() -> None:
    """Each of two ratings is half of their difference away from the mean."""
    results = PairwiseResults(pairs(0, 1, won=500, lost=500))
    one, _ = rate(results, range(2), rounds=1_000).ratings
    assert one.low is not None
    assert one.high is not None
    of_difference = 1.96 * ELO_PER_NATURAL_UNIT / sqrt(1_000 * 0.5 * 0.5)
    assert one.high - one.low == pytest.approx(of_difference, rel=0.06)


def test_few_results_leave_those_who_met_nearer_to_the_average() -> None:
    better, worse = elos(rated(pairs(0, 1, won=3, lost=1)))
    lead = ((better or 0) - (worse or 0)) / 400
    assert 0 < lead < log10(3)
    # Of eight matches and half a draw against an average bot it has what was to be expected.
    expected = 8 / (1 + 10**-lead) + 0.5 / (1 + 10 ** (-lead / 2))
    assert expected == pytest.approx(6.25, abs=1e-3)


def test_a_draw_counts_as_half_a_win() -> None:
    drawn = [a_pair(0, 1, (1.0, 0.5)) for _ in range(4)]
    assert elos(rated(drawn)) == elos(rated(pairs(0, 1, won=3, lost=1)))


def test_in_a_chain_differences_add_up() -> None:
    chain = pairs(0, 1, won=300, lost=100) + pairs(1, 2, won=400, lost=200)
    first, second, third = (elo or 0.0 for elo in elos(rated(chain)))
    assert first - second == pytest.approx(400 * log10(3), abs=0.5)
    assert second - third == pytest.approx(400 * log10(2), abs=0.5)


def test_the_anchor_keeps_its_figure_and_the_others_their_distances() -> None:
    sets = pairs(0, 1, won=3, lost=1)
    free, fixed = rated(sets), rated(sets, anchor=Anchor(1, 2000.0))
    assert fixed.anchor == Anchor(1, 2000.0)
    better, anchor = fixed.ratings
    assert (anchor.elo, anchor.low, anchor.high) == (2000.0, 2000.0, 2000.0)
    one, other = elos(free)
    assert (better.elo or 0) - 2000 == pytest.approx((one or 0) - (other or 0), abs=0.02)
    assert free.anchor is None


def test_an_anchor_who_is_not_rated_is_none() -> None:
    ratings = rated(pairs(0, 1, won=3, lost=1), entrants=3, anchor=Anchor(2))
    assert ratings.anchor is None
    assert sum(elo or 0.0 for elo in elos(ratings)) == pytest.approx(3000)


@settings(max_examples=20)
@given(st.randoms())
def test_the_order_of_play_makes_no_difference(dice: Random) -> None:
    sets = list(round_robin([0.0, 0.5, 1.0, -1.0], 3, np.random.default_rng(1)))
    shuffled = sets.copy()
    dice.shuffle(shuffled)
    assert rated(shuffled) == rated(sets)


def test_names_make_no_difference() -> None:
    strengths = [0.0, 0.4, 0.8, -0.4]
    sets = list(round_robin(strengths, 10, np.random.default_rng(2)))
    names = [30, 10, 0, 20]
    renamed = [
        SideSwappedSet(
            one.seed,
            tuple(Score(tuple(names[who] for who in s.seats), s.points) for s in one.scores),
        )
        for one in sets
    ]
    before = {rating.entrant: rating for rating in rated(sets).ratings}
    after = {rating.entrant: rating for rating in rated(renamed).ratings}
    for who, name in enumerate(names):
        assert after[name].elo == before[who].elo
        assert after[name].low == pytest.approx(before[who].low, abs=25)  # other draws


def test_without_results_nobody_is_comparable() -> None:
    assert rated([]) == Ratings(ratings=(), anchor=None)
    assert rated([], entrants=2) == Ratings(
        ratings=tuple(
            Rating(
                entrant=who,
                kind=RatingKind.NOT_COMPARABLE,
                elo=None,
                low=None,
                high=None,
                points=0.0,
                games=0,
            )
            for who in (0, 1)
        ),
        anchor=None,
    )


def test_a_bot_against_itself_says_nothing() -> None:
    assert kinds(rated([a_pair(0, 0)], entrants=1)) == [RatingKind.NOT_COMPARABLE]


def test_where_all_is_drawn_all_are_equal_with_some_doubt() -> None:
    ratings = rated(pairs(0, 1, even=5) + pairs(1, 2, even=5) + pairs(0, 2, even=5)).ratings
    assert len(ratings) == 3
    for rating in ratings:
        assert rating.elo == 1500.0
        assert rating.low is not None
        assert rating.high is not None
        assert 5 < rating.high - rating.low < 150


def test_who_won_all_has_no_upper_limit_and_who_lost_all_no_lower_one() -> None:
    middle = pairs(1, 2, won=5, lost=5)
    extremes = pairs(0, 1, won=5) + pairs(0, 2, won=5) + pairs(1, 3, won=5) + pairs(2, 3, won=5)
    ratings = rated(middle + extremes)
    assert kinds(ratings) == [
        RatingKind.WON_ALL,
        RatingKind.RATED,
        RatingKind.RATED,
        RatingKind.LOST_ALL,
    ]
    best, *_, worst = ratings.ratings
    assert (best.high, worst.low) == (None, None)
    assert 1500 < (best.low or 0) < (best.elo or 0) < 2500
    assert (worst.elo or 0) == pytest.approx(3000 - (best.elo or 0), abs=0.02)
    assert (worst.elo or 0) < (worst.high or 0) < 1500


def test_more_wins_raise_who_won_all() -> None:
    few, many = (
        rated(pairs(1, 2, won=5, lost=5) + pairs(0, 1, won=won)).ratings[0] for won in (3, 30)
    )
    assert 1500 < (few.elo or 0) < (many.elo or 0) < 3000
    assert (few.low or 0) < (many.low or 0)


def test_where_each_always_beats_the_next_all_have_their_place() -> None:
    ladder = [
        won for one in range(5) for other in range(one + 1, 5) for won in pairs(one, other, won=10)
    ]
    ratings = rated(ladder)
    assert kinds(ratings) == [RatingKind.WON_ALL, *[RatingKind.RATED] * 3, RatingKind.LOST_ALL]
    figures = [elo or 0.0 for elo in elos(ratings)]
    assert all(higher - lower > 200 for higher, lower in pairwise(figures))
    assert [rating.entrant for rating in ratings.ranking()] == [0, 1, 2, 3, 4]


def test_who_never_met_the_others_is_not_yet_comparable() -> None:
    ratings = rated(
        pairs(0, 1, won=1, lost=1) + pairs(1, 2, won=1, lost=1) + pairs(3, 4, won=1, lost=1),
        entrants=6,
    )
    assert kinds(ratings) == [RatingKind.RATED] * 3 + [RatingKind.NOT_COMPARABLE] * 3
    assert [rating.entrant for rating in ratings.ranking()][-3:] == [3, 4, 5]


def test_who_only_beat_somebody_who_was_beaten_is_known_but_roughly() -> None:
    sets = pairs(0, 1, won=9, lost=9) + pairs(0, 2, won=9) + pairs(3, 2, won=3)
    ratings = rated(sets).ratings
    assert [one.kind for one in ratings] == [
        RatingKind.RATED, RatingKind.RATED, RatingKind.LOST_ALL, RatingKind.WON_ALL,
    ]  # fmt: skip
    first, second, _, stranger = ratings
    assert (stranger.low or 0) < min(first.elo or 0, second.elo or 0) - 200


def test_a_match_of_four_counts_as_all_its_pairs() -> None:
    rotation = [
        SideSwappedSet(
            seed, (Score((0, 1, 2, 3), points), Score((1, 2, 3, 0), (3.0, 2.0, 1.0, 4.0)))
        )
        for seed, points in enumerate([(4.0, 3.0, 2.0, 1.0), (1.0, 2.0, 3.0, 4.0)] * 5)
    ]
    ratings = rated(rotation)
    assert [rating.games for rating in ratings.ratings] == [60] * 4
    assert [rating.points for rating in ratings.ratings] == [45.0, 35.0, 25.0, 15.0]
    figures = [elo or 0.0 for elo in elos(ratings)]
    assert figures == sorted(figures, reverse=True)


def test_the_same_seed_gives_the_same_intervals() -> None:
    sets = list(round_robin([0.0, 0.5, 1.0], 5, np.random.default_rng(3)))
    assert rated(sets, seed=4) == rated(sets, seed=4) != rated(sets, seed=5)


def test_two_who_shared_both_pairs_are_not_known_to_a_few_elo() -> None:
    better, worse = rated(pairs(0, 1, even=2)).ratings
    assert better.elo == worse.elo == 1500.0
    assert better.low is not None
    assert better.high is not None
    assert 150 < better.high - better.low < 600


@pytest.mark.parametrize("won", [1, 2, 4, 5])
def test_who_swept_as_many_maps_as_a_coin_might_can_be_no_better(won: int) -> None:
    """Two equals end so in 2^-won of all cases, which is more than 2.5 %."""
    better, worse = rated(pairs(0, 1, won=won)).ratings
    assert (better.low or 0) <= 1500 <= (worse.high or 9999)


def test_who_swept_more_maps_than_a_coin_does_is_better() -> None:
    better, worse = rated(pairs(0, 1, won=6)).ratings
    assert (worse.high or 9999) < 1500 < (better.low or 0)


def test_who_swept_all_maps_may_be_as_weak_seen_from_the_other() -> None:
    sets = pairs(0, 1, won=4)
    free, fixed = rated(sets).ratings[0], rated(sets, anchor=Anchor(1)).ratings[0]
    lead = log10(0.025**0.25 / (1 - 0.025**0.25)) * 400
    assert (free.low or 0) == pytest.approx(1500 + lead / 2, abs=0.02)
    assert (fixed.low or 0) == pytest.approx(1500 + lead, abs=0.02)


def figures(ratings: Ratings) -> Floats:
    """Return all ratings with the ends of their intervals; NaN where there is none."""
    rows = [(rating.elo, rating.low, rating.high) for rating in ratings.ratings]
    return np.array(rows, dtype=np.float64)


def a_ladder(bots: int, sets: int, seats: int = 2) -> list[SideSwappedSet]:
    """Play bots of known strengths who happen to meet; one won all, one lost all, two met alone."""
    chance = np.random.default_rng(bots)
    strengths = np.linspace(3, -3, bots)
    played = [*pairs(0, 1, won=3), *pairs(bots - 2, bots - 1, won=3), a_pair(bots, bots + 1, WON)]
    for seed in range(sets):
        seated = chance.choice(np.arange(1, bots - 1), seats, replace=False)
        rotations = (tuple(np.roll(seated, turn).tolist()) for turn in range(seats))
        played.append(
            SideSwappedSet(
                seed,
                tuple(
                    Score(turn, tuple(np.round(strengths[list(turn)] + chance.gumbel(size=seats))))
                    for turn in rotations
                ),
            )
        )
    return played


@pytest.mark.parametrize(
    "sets",
    [
        pairs(0, 1, won=1),
        [SideSwappedSet(1, (Score((0, 1), (1.0, 0.0)),))],
        [a_pair(one, one + 1, EVEN) for one in range(12)],
        [a_pair(0, other, (WON, LOST, EVEN)[other % 3]) for other in range(1, 30)],
        list(round_robin([0.0, 0.5, 1.0, -3.0], 5, np.random.default_rng(1))),
        a_ladder(60, 300),
        a_ladder(60, 150, seats=4),
    ],
    ids=["a pair", "a match", "draws", "a gauntlet", "a round robin", "a ladder", "four at a time"],
)
def test_ratings_and_intervals_are_those_of_whole_matrices(
    sets: list[SideSwappedSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = rated(sets)
    monkeypatch.setattr(resampling, "fit", fit_by_matrices)
    slow = rated(sets)
    assert kinds(quick) == kinds(slow)
    # Both are rounded to hundredths: they may end on either side of a half.
    assert figures(quick) == pytest.approx(figures(slow), abs=0.0101, rel=0, nan_ok=True)


@given(outcomes=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=4, max_size=16))
@settings(max_examples=25, deadline=None)
def test_the_interval_holds_the_rating(outcomes: list[float]) -> None:
    halves = list(zip(outcomes[::2], outcomes[1::2], strict=False))
    sets = [a_pair(n % 2, 2 - n % 2, points) for n, points in enumerate(halves)]
    for rating in rated(sets).ratings:
        assert rating.elo is not None
        assert rating.low is None or rating.low <= rating.elo
        assert rating.high is None or rating.elo <= rating.high


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "games", "tournaments", "spread"),
    [
        (2, 2, 300, 0.3), (2, 4, 300, 0.3), (2, 10, 300, 0.7), (4, 5, 200, 0.7),
        (8, 5, 100, 0.7), (20, 5, 40, 0.7), (8, 10, 80, 3.0),
    ],
)  # fmt: skip
def test_the_interval_holds_the_truth_in_95_of_100_tournaments_or_a_few_more(
    entrants: int, games: int, tournaments: int, spread: float
) -> None:
    chance = np.random.default_rng(entrants)
    inside = []
    for seed in range(tournaments):
        strengths = chance.normal(0, spread, entrants)
        strengths -= strengths.mean()
        played = PairwiseResults(round_robin(strengths.tolist(), games, chance))
        ratings = rate(played, rounds=300, seed=seed).ratings
        for rating, strength in zip(ratings, strengths.tolist(), strict=True):
            true = 1500 + strength * 400 / np.log(10)
            low, high = rating.low, rating.high
            inside.append((low is None or low <= true) and (high is None or true <= high))
    # Of two or four maps of two bots there are too few outcomes for anything near to 95 %.
    assert 0.93 <= sum(inside) / len(inside) <= (1 if games < 5 else 0.99)


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        ([], ()),
        ([(0, 1)], (0, 1)),
        ([(0, 1), (1, 2), (5, 2)], (0, 1, 2, 5)),
        ([(8, 9), (0, 1), (1, 2)], (0, 1, 2)),
        ([(2, 3), (0, 1)], (0, 1)),
        ([(2, 3), (3, 4), (0, 1)], (2, 3, 4)),
    ],
    ids=[
        "nobody met",
        "two who met",
        "a chain",
        "another island cannot be compared",
        "of equal islands that of the lowest number counts",
        "of others the largest",
    ],
)
def test_matches_hold_a_field_together(
    met: list[tuple[int, int]], expected: tuple[int, ...]
) -> None:
    assert largest_linked_group(met) == largest_linked_group(reversed(met)) == expected
