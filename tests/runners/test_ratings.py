"""Published ratings."""

from math import log10
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runners.meetings import Meetings
from runners.ratings import Anchor, Kind, Rating, Ratings, rate
from runners.scores import MirroredSet, Score
from tests.runners.mirrored import a_pair, pairs, round_robin


def rated(
    sets: list[MirroredSet], entrants: int = 0, *, anchor: Anchor | None = None, seed: int = 0
) -> Ratings:
    return rate(Meetings(sets), range(entrants), anchor=anchor, rounds=100, seed=seed)


def elos(ratings: Ratings) -> list[float | None]:
    return [rating.elo for rating in ratings.ratings]


def kinds(ratings: Ratings) -> list[Kind]:
    return [rating.kind for rating in ratings.ratings]


@pytest.mark.parametrize(("won", "lost"), [(1, 1), (3, 1), (9, 1), (99, 1), (2, 5)])
def test_of_two_the_difference_is_that_of_the_elo_formula(won: int, lost: int) -> None:
    better, worse = elos(rated(pairs(0, 1, won=won, lost=lost)))
    assert better is not None
    assert worse is not None
    assert better - worse == pytest.approx(400 * log10(won / lost), abs=0.02)
    assert better + worse == pytest.approx(3000, abs=0.02)


def test_a_draw_counts_as_half_a_win() -> None:
    drawn = [a_pair(0, 1, (1.0, 0.5)) for _ in range(4)]
    assert elos(rated(drawn)) == elos(rated(pairs(0, 1, won=3, lost=1)))


def test_in_a_chain_differences_add_up() -> None:
    chain = pairs(0, 1, won=3, lost=1) + pairs(1, 2, won=2, lost=1)
    first, second, third = (elo or 0.0 for elo in elos(rated(chain)))
    assert first - second == pytest.approx(400 * log10(3), abs=0.02)
    assert second - third == pytest.approx(400 * log10(2), abs=0.02)


def test_the_anchor_keeps_its_figure_and_the_others_their_distances() -> None:
    sets = pairs(0, 1, won=3, lost=1)
    free, fixed = rated(sets), rated(sets, anchor=Anchor(1, 2000.0))
    assert fixed.anchor == Anchor(1, 2000.0)
    better, anchor = fixed.ratings
    assert (anchor.elo, anchor.low, anchor.high) == (2000.0, 2000.0, 2000.0)
    assert better.elo == pytest.approx(2000 + 400 * log10(3), abs=0.02)
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
        MirroredSet(
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
                kind=Kind.NOT_COMPARABLE,
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
    assert kinds(rated([a_pair(0, 0)], entrants=1)) == [Kind.NOT_COMPARABLE]


def test_where_all_is_drawn_all_are_equal_with_some_doubt() -> None:
    ratings = rated(pairs(0, 1, even=5) + pairs(1, 2, even=5) + pairs(0, 2, even=5)).ratings
    for rating in ratings:
        assert rating.elo == 1500.0
        assert rating.low is not None
        assert rating.high is not None
        assert 5 < rating.high - rating.low < 150


def test_the_unbeaten_and_the_winless_have_bounds() -> None:
    middle = pairs(1, 2, won=5, lost=5)
    extremes = pairs(0, 1, won=5) + pairs(0, 2, won=5) + pairs(1, 3, won=5) + pairs(2, 3, won=5)
    ratings = rated(middle + extremes)
    assert kinds(ratings) == [Kind.AT_LEAST, Kind.RATED, Kind.RATED, Kind.AT_MOST]
    best, *_, worst = ratings.ratings
    # Ten sets won against two of 1500: p ** 10 = 0.025.
    share = 0.025**0.1
    assert best.elo == best.low == pytest.approx(1500 + 400 * log10(share / (1 - share)), abs=0.02)
    assert worst.elo == worst.high == pytest.approx(3000 - (best.elo or 0), abs=0.02)
    assert (best.high, worst.low) == (None, None)


def test_more_wins_raise_the_bound() -> None:
    few, many = (
        rated(pairs(1, 2, won=5, lost=5) + pairs(0, 1, won=won)).ratings[0].elo for won in (3, 30)
    )
    assert few is not None
    assert many is not None
    assert few < many < 3000


def test_those_who_drop_no_point_but_to_each_other_are_bounded_together() -> None:
    rest = pairs(2, 3, won=1, lost=1) + pairs(3, 4, won=1, lost=1) + pairs(2, 4, won=1, lost=1)
    ratings = rated(pairs(0, 1, won=3, lost=1) + pairs(1, 2, won=4) + rest)
    assert kinds(ratings) == [Kind.AT_LEAST] * 2 + [Kind.RATED] * 3
    first, second, *_ = elos(ratings)
    assert (first or 0) - (second or 0) == pytest.approx(400 * log10(3), abs=0.02)


def test_where_each_always_beats_the_next_the_middle_one_is_the_measure() -> None:
    ladder = [
        won for one in range(5) for other in range(one + 1, 5) for won in pairs(one, other, won=10)
    ]
    ratings = rated(ladder)
    assert kinds(ratings) == [Kind.AT_LEAST] * 2 + [Kind.RATED] + [Kind.AT_MOST] * 2
    figures = [elo or 0.0 for elo in elos(ratings)]
    assert figures == sorted(figures, reverse=True)
    assert [rating.entrant for rating in ratings.ranking()] == [0, 1, 2, 3, 4]


def test_who_never_met_the_others_is_not_yet_comparable() -> None:
    ratings = rated(
        pairs(0, 1, won=1, lost=1) + pairs(1, 2, won=1, lost=1) + pairs(3, 4, won=1, lost=1),
        entrants=6,
    )
    assert kinds(ratings) == [Kind.RATED] * 3 + [Kind.NOT_COMPARABLE] * 3
    assert [rating.entrant for rating in ratings.ranking()][-3:] == [3, 4, 5]


def test_who_only_beat_somebody_who_was_beaten_is_not_yet_comparable() -> None:
    sets = pairs(0, 1, won=1, lost=1) + pairs(0, 2, won=3) + pairs(3, 2, won=3)
    assert kinds(rated(sets)) == [
        Kind.RATED, Kind.RATED, Kind.AT_MOST, Kind.NOT_COMPARABLE,
    ]  # fmt: skip


def test_a_match_of_four_counts_as_all_its_pairs() -> None:
    rotation = [
        MirroredSet(seed, (Score((0, 1, 2, 3), points), Score((1, 2, 3, 0), (3.0, 2.0, 1.0, 4.0))))
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "games", "tournaments"), [(2, 10, 300), (4, 5, 200), (8, 5, 100), (20, 5, 40)]
)
def test_the_interval_holds_the_truth_in_about_95_of_100_tournaments(
    entrants: int, games: int, tournaments: int
) -> None:
    chance = np.random.default_rng(entrants)
    inside = []
    for seed in range(tournaments):
        strengths = chance.normal(0, 0.7, entrants)
        strengths -= strengths.mean()
        played = Meetings(round_robin(strengths.tolist(), games, chance))
        ratings = rate(played, rounds=300, seed=seed).ratings
        if any(rating.kind is not Kind.RATED for rating in ratings):
            continue
        for rating, strength in zip(ratings, strengths.tolist(), strict=True):
            true = 1500 + strength * 400 / np.log(10)
            inside.append((rating.low or 0) <= true <= (rating.high or 0))
    assert 0.93 <= sum(inside) / len(inside) <= 0.985
