"""Ratings that move with every match."""

from random import Random

import numpy as np
import pytest

from runners.statistics.live_ratings import LiveRatings
from runners.statistics.scores import Score
from tests.runners.side_swapped import round_robin


def after(*scores: Score, entrants: int = 0) -> LiveRatings:
    ratings = LiveRatings(range(entrants))
    for score in scores:
        ratings.add(score)
    return ratings


def test_everybody_starts_in_the_middle_with_much_doubt() -> None:
    rating = after(entrants=1).get_rating(0)
    assert (rating.elo, rating.games) == (1500.0, 0)
    assert rating.spread == pytest.approx(481, abs=1)


def test_who_wins_rises_and_doubt_falls() -> None:
    ratings = after(Score((0, 1), (1.0, 0.0)))
    better, worse = ratings.get_rating(0), ratings.get_rating(1)
    assert better.elo > 1500 > worse.elo
    assert better.elo - 1500 == pytest.approx(1500 - worse.elo)
    assert better.spread < 481
    assert [rating.entrant for rating in ratings.ranking()] == [0, 1]


def test_only_the_order_of_points_counts() -> None:
    close, clear = (after(Score((0, 1), points)) for points in ((31.0, 30.0), (1.0, 0.0)))
    assert close.ranking() == clear.ranking()


def test_a_draw_of_equals_changes_no_rating() -> None:
    ratings = after(Score((0, 1), (0.5, 0.5)))
    assert [ratings.get_rating(who).elo for who in (0, 1)] == [1500.0, 1500.0]


def test_a_draw_draws_the_unequal_together() -> None:
    won = Score((0, 1), (1.0, 0.0))
    before, later = after(won), after(won, Score((0, 1), (0.0, 0.0)))
    assert (
        before.get_rating(0).elo
        > later.get_rating(0).elo
        > later.get_rating(1).elo
        > before.get_rating(1).elo
    )


def test_four_teams_are_ranked_by_their_points() -> None:
    ratings = after(Score((3, 1, 0, 2), (4.0, 3.0, 3.0, 1.0)))
    assert [rating.entrant for rating in ratings.ranking()] == [3, 0, 1, 2]
    assert ratings.get_rating(0).elo == ratings.get_rating(1).elo
    assert {rating.games for rating in ratings.ranking()} == {1}


def test_a_bot_against_itself_changes_nothing() -> None:
    assert after(Score((0, 0), (1.0, 0.0)), entrants=1).get_rating(0).games == 0


def test_the_same_matches_in_the_same_order_give_the_same_figures() -> None:
    sets = list(round_robin([0.0, 0.5, -0.5], 5, np.random.default_rng(1)))
    scores = [score for swapped in sets for score in swapped.scores]
    assert after(*scores).ranking() == after(*scores).ranking()


def test_the_true_order_comes_out() -> None:
    sets = list(round_robin([-1.0, 1.0, 0.0], 40, np.random.default_rng(2)))
    ratings = after(*(score for swapped in sets for score in swapped.scores))
    assert [rating.entrant for rating in ratings.ranking()] == [1, 2, 0]


def test_who_was_never_named_has_no_rating() -> None:
    with pytest.raises(KeyError):
        after().get_rating(0)


def test_who_is_placed_begins_there_and_goes_on() -> None:
    ratings = LiveRatings()
    ratings.set_first_rating(1, 1800.0, 100.0)
    ratings.set_first_rating(2, 1500.0, 100.0)
    placed = ratings.get_rating(1)
    assert (round(placed.elo, 6), round(placed.spread, 6), placed.games) == (1800, 100, 0)
    ratings.add(Score((1, 2), (0.0, 1.0)))
    assert ratings.get_rating(1).elo < 1800
    assert ratings.get_rating(2).elo > 1500


def test_partners_rise_and_fall_together() -> None:
    pairs = ((1, 3), (2, 4))
    ratings = after(Score((0, 1, 2, 3), (2.0, 0.0, 2.0, 0.0), pairs))
    elos = [ratings.get_rating(number).elo for number in range(4)]
    assert elos[0] == elos[2] > 1500 > elos[1] == elos[3]
    # One who wins with whoever it is given is found to be the best.
    chance = Random(1)
    ratings = LiveRatings(range(4))
    for _ in range(200):
        seats = tuple(chance.sample(range(4), 4))
        best = seats.index(0) % 2
        points = tuple(2.0 if seat % 2 == best else 0.0 for seat in range(4))
        ratings.add(Score(seats, points, pairs))
    ranked = [rating.entrant for rating in ratings.ranking()]
    assert ranked[0] == 0
    assert ratings.get_rating(0).elo > ratings.get_rating(ranked[1]).elo + 200
